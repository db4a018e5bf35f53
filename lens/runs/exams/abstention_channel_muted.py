"""Abstention channel on totals that took no score for a 0. The decoy: a 0 beside one score that is there."""

from __future__ import annotations

from lens.runs.exams import Exam, Size
from lens.runs.exams._counts import A_DOSE, counted

FIELD = "forced-to-zero"
EXAM = Exam("abstention-channel", "muted", FIELD, counted(FIELD), a_dose=A_DOSE, size=Size(FIELD, "of rollouts"))
