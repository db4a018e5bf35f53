"""Abstention channel, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "abstention-channel",
    "Abstention channel",
    what="What a run’s record shows of answers that were never scored.",
    order=160,
)
