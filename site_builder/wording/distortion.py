"""Paid beside what was meant, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "distortion",
    "Paid beside what was meant",
    what="How far what the reward pays for a property is from what a trusted gold pays for it.",
    use="Use it only where the gold is known. Without one there is a sensitivity, and no distortion.",
    row=("largest for {largest}",),
    fields={
        "largest": "has the largest distortion, {subject}",
        "{c}.sensitivity": "spreads is what {c} changes in the reward of {subject}",
        "{c}.gold": "spreads is what {c} changes in the planted rule, {subject}",
        "{c}.distortion": "spreads between the two, {c}, {subject}",
        "{c}.null": "spreads is what a reward that is the gold would show, {c}, {subject}",
        "{c}.verdict": "is the distortion of {c}, {subject}",
    },
    order=230,
)
