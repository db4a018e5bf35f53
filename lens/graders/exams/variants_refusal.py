"""Variants on a written form that is refused. The decoy: that another right form is said to be refused."""

from __future__ import annotations

from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE, any_other, counted

FIELD = "reject.trailing-zeros"
EXAM = Exam(
    "variants",
    "refusal",
    FIELD,
    counted(FIELD, any_other("reject.", "", FIELD)),
    a_dose=A_DOSE,
    fill=True,
    size=Size("reject.trailing-zeros", "of golds"),
)
