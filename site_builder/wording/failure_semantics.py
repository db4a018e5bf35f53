"""Failure semantics, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "failure-semantics",
    "Failure semantics",
    what="What happens when the grader itself fails: a raise, a zero, an abstention, a fallback.",
    use="Use it to read zeros: an error that scores as zero looks like a wrong answer to a trainer.",
    row=(
        "{mode}",
        "{raised} rows raised",
        "{abstained} abstained",
    ),
    fields={
        "ended": "probes killed or hung {subject}",
        "paid": "odd inputs are paid by {subject}",
        "swallowed": "probes raised inside {subject} and a score came back all the same",
        "mode": "is what {subject} does when it fails",
        "raised": "rows made {subject} raise",
        "abstained": "rows made {subject} abstain",
        "zero": "failing rows were scored as zero by {subject}",
        "printed": "characters were printed by {subject}",
    },
    order=100,
)
