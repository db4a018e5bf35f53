"""Parts that pull against each other, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "term-conflict",
    "Parts that pull against each other",
    what="What the parts of a reward write that other parts cancel.",
    use="Use it for how parts go together inside prompts; that two are opposed is no fault by itself.",
    row=(
        "{cancelled} of what is written cancels",
        "{cancelled.control} by chance",
    ),
    fields={
        "cancelled": "of what is written is cancelled by other parts, {subject}",
        "cancelled.control": "of what is written is cancelled with sides in random order, {subject}",
        "conflicting": "pairs of terms are opposed beyond chance, {subject}",
        "null.least": "is what the most opposed reach by chance, {subject}",
        "worst": "are the most opposed terms, {subject}",
        "worst.correlation": "is the correlation of the most opposed terms, {subject}",
        "terms": "are the terms, {subject}",
    },
    order=252,
)
