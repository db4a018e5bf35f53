"""Do its criteria say different things, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "coherence",
    "Do its criteria say different things",
    what="How alike the two closest criteria of a reward are inside prompts, and how many dimensions all of them fill.",
    use="Use the size beside its null. The public flag is up for every set of criteria that isn’t orthonormal.",
    row=("{verdict}",),
    fields={
        "largest": "within prompts is the size of correlation of the two closest criteria, {subject}",
        "largest.null": "within prompts would be read of criteria permuted inside prompts, {subject}",
        "largest.null-mean": "within prompts, on average over such permutations, {subject}",
        "mean": "within prompts is the mean size of correlation between criteria, {subject}",
        "mean.null": "within prompts would be the mean of criteria permuted inside prompts, {subject}",
        "mean.null-mean": "within prompts, on average over such permutations, {subject}",
        "closest": "are the closest criteria of {subject}",
        "agreed": "folds chose the same two criteria of {subject}",
        "dimensions": "dimensions are filled by the criteria of {subject}",
        "floor": "within prompts is what the largest size can’t be under, {subject}",
        "verdict": "are the criteria of {subject}",
    },
    order=380,
)
