"""Replay, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "replay",
    "Replay",
    what="Which rules turn the recorded scores into the recorded advantages, tried one by one.",
    use="Use it before anything that rests on advantages. Rules that fit equally well can’t be told apart here, and a "
    "reading on which they differ declines.",
    row=("{rule}", "off by {residual|sci2} at the worst", "the nearest other rule by {nearest.residual|s2}"),
    fields={
        "accepted": "rules reproduce the advantages of {subject}",
        "rule": "is what reproduces the advantages of {subject}",
        "residual": "is the largest difference from the recorded advantages of {subject}",
        "nearest.residual": "is the largest difference under the nearest rule that doesn’t fit {subject}",
        "nearest.rule": "is the nearest rule that doesn’t fit {subject}",
        "compared": "rollouts of {subject} were compared",
        "round-off": "rollouts of {subject} have an advantage that is round-off alone",
        "abstained": "rollouts of {subject} have no score",
        "largest": "is the largest advantage of {subject}, by size",
        "weights": "are the weights of the leaves of {subject}",
        "weights-from": "is how the weights of {subject} are known",
    },
    order=20,
)
