"""Flakiness, in words."""

from site_builder.wording import Wording

WORDING = Wording(
    "flakiness",
    "Flakiness",
    what="How much of the spread of its scores comes from the grader itself, over repeated runs.",
    use="Use it for graders that draw, time out or call a service; for a plain program none seen is a bound.",
    row=("{flips} answers change their score between runs", "a group counts as {effective-group} rollouts"),
    fields={
        "flips": "answers get another score from {subject} in another run",
        "replays": "calls were made of each answer, {subject}",
        "effective-group": "rollouts is what a group is worth once {subject}’s own noise is taken off",
        "generalizability": "of the spread of {subject}’s scores comes from the answers",
        "variance.row": "is the spread of {subject}’s scores between answers",
        "variance.session": "is the spread of {subject}’s scores between runs",
        "variance.interaction": "is the spread of {subject}’s scores that depends on both answer and run",
        "variance.residual": "is the spread of {subject}’s scores left within a run",
    },
    order=140,
)
