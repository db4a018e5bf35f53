"""Gradient norm, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "gradient-norm",
    "How long the gradient was",
    what="The gradient’s norm as it was logged, before clipping, and what clipping left of it.",
    use="Use it to see which steps were clipped and which had nothing to follow. A norm of zero on a step whose groups "
    "have one reward each is no fault.",
    row=(
        "{pre-clip.median} before clipping",
        "{clipped} steps clipped",
        "{no-signal} without signal",
    ),
    fields={
        "pre-clip.median": "is the gradient’s norm before clipping, median step of {subject}",
        "pre-clip.min": "is the gradient’s least norm before clipping, {subject}",
        "pre-clip.max": "is the gradient’s greatest norm before clipping, {subject}",
        "threshold": "is the norm at which {subject} clips",
        "applied.median": "is the gradient’s norm after clipping, median step of {subject}",
        "applied.min": "is the gradient’s least norm after clipping, {subject}",
        "applied.max": "is the gradient’s greatest norm after clipping, {subject}",
        "clip-factor.min": "of the gradient is left in the step of {subject} that was clipped most",
        "clipped": "steps of {subject} had their gradient clipped",
        "taken": "is where the logged norm of {subject} was taken",
        "no-signal": "steps of {subject} had nothing to follow: every group has one reward",
        "zero-with-signal": "steps of {subject} have a norm of zero though rewards differ",
        "other-terms-alone": "steps of {subject} follow the KL or entropy term alone",
        "round-off": "steps of {subject} have a norm though every group has one reward",
        "undecided": "steps of {subject} have one reward a group, and it isn’t known whether the loss has more terms",
        "not-finite": "logged norms of {subject} are no finite number",
        "logged": "steps of {subject} have a logged norm",
    },
    order=65,
)
