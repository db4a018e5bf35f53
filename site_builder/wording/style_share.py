"""What is paid for style, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "style-share",
    "What is paid for style",
    what="How much of the margin between natural replies lies along what twins of another style differ in.",
    use="It is a share of the margin of labelled pairs: style that favours neither side adds nothing to it. The public "
    "index depends on the basis.",
    row=("{share} for {styles}",),
    fields={
        "share": "of the margin lies along style, {subject}",
        "null": "of the margin lies along a random subspace of the same rank, {subject}",
        "null-mean": "of the margin, on average over such subspaces, {subject}",
        "verdict": "is whether style is paid for, {subject}",
        "styles": "are the styles that twins differ in, {subject}",
    },
    order=400,
)
