"""Rollouts on wrong answers that are paid. The decoy: that right ones are said to be refused."""

from __future__ import annotations

from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE, any_other, counted

FIELD = "false-accept"

EXAM = Exam(
    "rollouts",
    "lax",
    FIELD,
    counted(FIELD, any_other("false-", "", FIELD), shown=0.5),
    a_dose=A_DOSE,
    fill=True,
    size=Size(FIELD, "of wrong answers"),
)
