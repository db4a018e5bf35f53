"""Whether failures come together, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "misalignment-cascade",
    "Whether failures come together",
    what="Whether a prompt that pays for one edit pays for the others too.",
    use="Use it on the same prompts for every edit, as here; across other prompts it means nothing.",
    row=("{coupled} pairs of edits go together",),
    fields={
        "coupled": "pairs of edits are paid on the same prompts, beyond chance, {subject}",
        "null.largest": "is what the most alike reach by chance, {subject}",
        "strongest": "go together most, {subject}",
        "strongest.correlation": "is the correlation of what the two edits are paid, {subject}",
        "first": "of the variance lies along one direction, {subject}",
        "first.control": "of the variance lies along one direction by chance, {subject}",
    },
    order=245,
)
