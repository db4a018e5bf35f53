"""What it would prefer without a concept, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "steering",
    "What it would prefer without a concept",
    what="What is left of the margin once a concept’s direction is taken out of the stream, or of the head.",
    use="Use it beside its control: taking out any direction takes something away.",
    fields={
        "{c}.ablate": "of the margin is left without {c} in the stream, {subject}",
        "{c}.head-edit": "of the margin is left without {c} in the head, {subject}",
        "{c}.ablate.control": "of the margin is left without a direction of chance in the stream, {c}, {subject}",
        "{c}.head-edit.control": "of the margin is left without a direction of chance in the head, {c}, {subject}",
        "{c}.steered": "pairs turn round when the rejected reply is steered along {c}, {subject}",
        "{c}.ablate.elsewhere": "pairs of other properties change sides without {c} in the stream, {subject}",
        "{c}.head-edit.elsewhere": "pairs of other properties change sides without {c} in the head, {subject}",
    },
    order=160,
)
