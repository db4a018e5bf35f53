"""Circuit overlap, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "circuit-overlap",
    "Circuit overlap",
    what="Whether the same heads and MLPs write different properties, against halves of one property.",
    use="Use the gap to the ceiling: halves of one property don’t overlap wholly either.",
    row=("overlap {between}, where halves of one property reach {ceiling}",),
    fields={
        "between": "is the overlap between two properties, {subject}",
        "ceiling": "is the overlap of halves of one property, {subject}",
        "gap": "is the ceiling less the overlap, {subject}",
        "null": "is the overlap with places permuted, {subject}",
    },
    order=235,
)
