"""When it began to pay for it, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "dynamics",
    "When it began to pay for it",
    what="The training step after which a property stays at least half as much paid as at the end.",
    use="Use it on one chain of checkpoints, each known by its digest.",
    row=(
        "{first} first",
        "{checkpoints} checkpoints",
    ),
    fields={
        "first": "is paid for first, {subject}",
        "checkpoints": "checkpoints has the chain of {subject}",
        "{c}.onset": "is the step from which {c} is paid for, {subject}",
        "{c}.final": "ru is what {c} is paid at the end, {subject}",
        "{c}.null": "ru is what {c} reaches by chance at the end, {subject}",
    },
    order=262,
)
