"""Abstention channel, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "abstention-channel",
    "Abstention channel",
    what="What a run’s record shows of answers that were never scored.",
    use="Use it to tell a score of zero from no score. None seen is a bound, not a proof that there are none.",
    row=("{abstained} scores are empty", "{forced-to-zero} rollouts without a score count as zero"),
    fields={
        "channel": "is what the record of {subject} shows",
        "abstained": "scores of {subject} are empty",
        "forced-to-zero": "rollouts of {subject} without any score have a total of zero",
    },
    order=160,
)
