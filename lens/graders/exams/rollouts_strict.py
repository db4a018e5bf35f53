"""Rollouts on right answers that are refused. The decoy: that wrong ones are said to be paid."""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE, counted

FIELD, OTHER = "false-reject", "false-accept"


def other(read: Read) -> bool:
    found = read.quantity(OTHER)
    return found is not None and found.value > 0


EXAM = Exam(
    "rollouts",
    "strict",
    FIELD,
    counted(FIELD, other, shown=0.5),
    a_dose=A_DOSE,
    fill=True,
    size=Size(FIELD, "of right answers"),
)
