"""Metamorphic relations on a written form that is refused. The decoy: that another form is said to be."""

from __future__ import annotations

from lens.graders.exams import FEW, Exam, Read, Size
from lens.graders.exams._counts import any_other, counted

FIELD = "trailing-zeros.violations"
PLANTED = ("more-guesses.violations",)  # the defect of the other kind, which is planted and rightly said


def other(read: Read) -> bool:
    rest = {name: field for name, field in read.fields.items() if name not in PLANTED}
    return any_other("", ".violations", FIELD)(read._replace(fields=rest))


EXAM = Exam(
    "metamorphic",
    "refusal",
    FIELD,
    counted(FIELD, other, judged=False),
    a_dose=FEW,
    fill=True,
    size=Size("trailing-zeros.violations", "of rows"),
)
