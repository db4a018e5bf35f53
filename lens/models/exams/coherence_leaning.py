"""Coherence of two criteria, one of which leans on the other."""

from __future__ import annotations

from lens.models.exams import FEW, Read, Size
from lens.models.exams._beside import BesideExam
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that they are redundant. No coverage is read: the other criterion has random
    parts of its own, over whose spread the correlation is."""
    found = read.quantity("largest")
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=read.word("verdict") == "redundant",
    )


EXAM = BesideExam(
    "coherence", "leaning", "largest", mark, axis="natural", a_dose=FEW, size=Size("largest", "within prompts")
)
