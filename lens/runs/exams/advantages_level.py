"""Advantages of groups in which nothing differs. The decoy: groups in which little does."""

from __future__ import annotations

from lens.runs.exams import FEW, Exam, Size
from lens.runs.exams._counts import counted

FIELD = "dead-groups"
EXAM = Exam("advantages", "level", FIELD, counted(FIELD, judged=False), a_dose=FEW, size=Size(FIELD, "of groups"))
