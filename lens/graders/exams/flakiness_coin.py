"""Flakiness on verdicts that are tossed. The decoy: that a verdict flips where the toss decides nothing."""

from __future__ import annotations

from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE, counted, elsewhere

CALLS = 6  # of each gold: twice in each of three workers
EXAM = Exam(
    "flakiness",
    "coin",
    "flips",
    counted("flips", elsewhere("verdicts"), shown=1 - 2 * 0.5**CALLS),
    a_dose=A_DOSE,
    given={"replicates": CALLS // 2},
    size=Size("flips", "of answers"),
)
