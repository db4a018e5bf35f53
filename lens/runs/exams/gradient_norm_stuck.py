"""Gradient norm on steps that learn nothing. The decoy: steps that have nothing to learn from."""

from __future__ import annotations

from lens.runs.exams import FEW, Exam, Size
from lens.runs.exams._counts import counted

FIELD = "zero-with-signal"
EXAM = Exam("gradient-norm", "stuck", FIELD, counted(FIELD, judged=False), a_dose=FEW, size=Size(FIELD, "of steps"))
