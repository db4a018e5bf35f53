"""Flakiness, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "flakiness",
    "Flakiness",
    what="How much of the spread of its scores comes from the grader itself, over repeated runs.",
    order=140,
)
