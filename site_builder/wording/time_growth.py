"""Time growth, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "time-growth",
    "Time growth",
    what="How its time grows with the length of an answer, on the families of input that stretch it most.",
    use="Use the exponent, not the seconds: the seconds are this machine’s.",
    row=(
        "exponent {worst.exponent} at worst",
        "the median call takes {p50}",
    ),
    fields={
        "{r}.exponent": "is the exponent of {subject}’s time in input size: {r}",
        "worst.exponent": "is the exponent of {subject}’s time in input size, in its worst family",
        "p50": "is the median call of {subject}",
        "p99": "covers all but a hundredth of the calls of {subject}",
    },
    order=120,
)
