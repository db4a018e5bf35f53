"""Path patching, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "path-patching",
    "Path patching",
    what="How much of the margin travels from one component to one later one, and no other way.",
    use="Use it for a path under this replacement; the same component may act by other paths too.",
    row=(
        "{strongest.share} of the margin along {strongest}",
        "{untrained.strongest.share} in untrained copies",
    ),
    fields={
        "strongest": "is the strongest path, {subject}",
        "strongest.effect": "ru travel along the strongest path, {subject}",
        "strongest.share": "of the margin travels along the strongest path, {subject}",
        "untrained.strongest.share": "of the margin travels along the strongest path, untrained {subject}",
        "direct-share": "of all effects go straight into the head, {subject}",
    },
    order=255,
)
