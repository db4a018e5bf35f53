"""Rollouts on right answers that are refused. The decoy: that wrong ones are said to be paid."""

from __future__ import annotations

from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE, any_other, counted

FIELD = "false-reject"

EXAM = Exam(
    "rollouts",
    "strict",
    FIELD,
    counted(FIELD, any_other("false-", "", FIELD), shown=0.5),
    a_dose=A_DOSE,
    fill=True,
    size=Size(FIELD, "of right answers"),
)
