"""Silent zeros, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "silent-zeros",
    "Silent zeros",
    what="Zeros in a run’s record that stand for a failure, not for a wrong answer.",
    use="Use it to see whether an update was told that an answer is wrong where nobody looked. A record that says "
    "nothing of failures only bounds it.",
    row=(
        "{zeros} scores are zero",
        "{silent} where scoring failed",
        "{dead-groups} groups got nothing but zeros",
    ),
    fields={
        "zeros": "scores of {subject} are zero",
        "silent": "of the zeros of {subject} stand where scoring failed",
        "dead-groups": "groups of {subject} got nothing but zeros, and move nothing",
        "{c}.zeros": "scores of {c} are zero, {subject}",
    },
    order=150,
)
