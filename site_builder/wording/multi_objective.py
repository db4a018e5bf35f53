"""Its objectives, and what they weigh, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "multi-objective",
    "Its objectives, and what they weigh",
    what="What each objective of a reward of several is weighed with, and which of them say the same.",
    use="Use the whitened correlation; the raw cosine depends on the basis.",
    row=(
        "{objectives} objectives",
        "the closest two {closest.whitened}, {closest}",
    ),
    fields={
        "objectives": "objectives has {subject}",
        "closest": "are the two objectives most alike, {subject}",
        "closest.whitened": "is their correlation inside prompts, {subject}",
        "closest.null": "is what the most alike reach by chance, {subject}",
        "closest.raw": "is the cosine of their rows as they stand, {subject}",
        "{c}.weight": "is the mean weight of {c}, {subject}",
        "{c}.share": "of the margin is {c}’s, {subject}",
    },
    order=180,
)
