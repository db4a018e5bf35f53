"""Reward lens, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "reward-lens",
    "Reward lens",
    what="The margin the head would give at every depth of the network.",
    use="Use it to say from where the preference can be read by this head, not where it is computed.",
    row=(
        "{own.middle-share} of the margin stands halfway up",
        "{untrained.own.middle-share} in untrained copies",
    ),
    fields={
        "margin": "ru is the mean margin of {subject}",
        "own.middle-share": "of the margin stands halfway up, each depth with its own norm, {subject}",
        "frozen.middle-share": "of the margin stands halfway up, with the last norm, {subject}",
        "untrained.own.middle-share": "of the margin stands halfway up, own norm, untrained {subject}",
        "untrained.frozen.middle-share": "of the margin stands halfway up, last norm, untrained {subject}",
        "identity.last": "ru is the largest deviation of the last entry from the library’s reward, {subject}",
        "identity.increments": "ru is the largest deviation of the steps from attribution, {subject}",
    },
    order=200,
)
