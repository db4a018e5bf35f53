"""Metamorphic relations, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "metamorphic",
    "Metamorphic relations",
    what="Changes to an answer that must not, or must, change its score.",
    use="Use it for one relation at a time. The relations are not a sample of anything, so they are never pooled.",
    row=("{violated} relations broken at least once",),
    fields={
        "{r}.policy": "applicable rows where {subject} takes a side that others might not: {r}",
        "violated": "relations are broken by {subject} at least once",
        "{r}.violations": "applicable rows where {subject} breaks the relation: {r}",
    },
    order=60,
)
