"""Crystallisation on a word whose worth is written early and late, in known parts."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked

HALF = 0.5


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the interval of the depth ends at half, as it does where more than half
    of the worth is written by then. The score is how much depth is left."""
    found = read.quantity("frozen.depth")
    interval = found.interval if found else None
    return Marked(
        dose=read.told["dose"],
        score=1 - found.value if found else 0.0,
        flagged=interval is not None and interval.high <= HALF,
    )


EXAM = Exam("crystallization", "early", "frozen.depth", mark, controls=0, axis="split", a_dose=FEW)
