"""Coverage disparity on four kinds of pairs, one of which is ordered worse."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.models.organisms.families.uneven import WORDS
from lens.stats.scorecard import Marked

LEVEL = 0.05


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged by the p of equal parts. No coverage is read, since what is planted is ru."""
    found, p = read.quantity("disparity"), read.quantity("p")
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=p is not None and p.value < LEVEL,
    )


EXAM = Exam(
    "coverage-disparity",
    "uneven",
    "disparity",
    mark,
    axis=" ".join(WORDS),
    a_dose=FEW,
    size=Size("disparity", "logits"),
)
