"""Determinism on verdicts that are tossed. The decoy: that a replay differs where the toss decides nothing."""

from __future__ import annotations

from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE, counted, elsewhere

WORKERS = 3  # each gold is asked once in each
EXAM = Exam(
    "determinism",
    "coin",
    "replay-differences",
    counted("replay-differences", elsewhere("replay-differs"), shown=1 - 2 * 0.5**WORKERS),
    a_dose=A_DOSE,
    size=Size("replay-differences", "of rows"),
)
