"""Rollouts on wrong answers that are paid. The decoy: that right ones are said to be refused."""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE, counted

FIELD, OTHER = "false-accept", "false-reject"


def other(read: Read) -> bool:
    found = read.quantity(OTHER)
    return found is not None and found.value > 0


EXAM = Exam(
    "rollouts",
    "lax",
    FIELD,
    counted(FIELD, other, shown=0.5),
    a_dose=A_DOSE,
    fill=True,
    size=Size(FIELD, "of wrong answers"),
)
