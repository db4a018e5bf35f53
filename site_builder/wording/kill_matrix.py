"""Kill matrix, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "kill-matrix",
    "Kill matrix",
    what="Small deliberate breakages of the grader’s code, and which answers would have noticed each.",
    use="Use it to say which test answers exercise the grader. Don’t use it to say the grader is weak: "
    "another corpus may notice what this one missed.",
    row=(
        "{labelled.killed} on labelled answers",
        "{gold.killed} on gold answers",
        "{any.killed} on any corpus",
        "{calls} calls",
    ),
    fields={
        "constant-control.killed": "constants in place of {subject} are noticed, as they must be",
        "duplicates": "mutants of {subject} were dropped because another one compiles to the same code",
        "{c}.rows": "rows were run, {c}",
        "{c}.killed": "mutants of {subject} are noticed by {c}",
        "{c}.rate": "of mutants of {subject} noticed by {c}",
        "mutants": "mutants of {subject} were generated",
        "sampled": "mutants of {subject} were run",
        "timeouts": "mutants of {subject} ran out of time",
        "replay-differences": "rows where {subject} unbroken and replayed gave another outcome",
        "{c}.calls": "calls of {subject} on {c}",
        "calls": "calls of {subject} in all",
    },
    order=30,
)
