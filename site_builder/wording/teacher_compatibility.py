"""What it can teach, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "teacher-compatibility",
    "What it can teach",
    what="How much of the reward’s variance tells replies to one prompt apart: a policy learns from nothing else.",
    use="Compare the share between models, never the variance: its units are each model’s own. The public index "
    "compares the variance.",
    row=("{share} of the variance is inside prompts",),
    fields={
        "share": "of the variance of rewards is between replies to one prompt, {subject}",
        "share.null": "of the variance is inside prompts, had replies been dealt at random, {subject}",
        "share.null-mean": "of the variance, on average over such deals, {subject}",
        "within": "squared reward units is the variance inside a prompt, {subject}",
        "policy": "are the replies read of {subject}",
    },
    order=300,
)
