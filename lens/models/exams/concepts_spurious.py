"""Concept vectors on a word that should not matter."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged as the instrument counts a concept among those that move the reward."""
    return Marked(
        dose=read.told["dose"],
        score=_size(read, "spurious"),
        flagged=above(read, "spurious"),
        decoy=above(read, read.told["decoy"]),
    )


def above(read: Read, axis: str) -> bool:
    """Whether the interval of an axis' slope lies beyond that of sides in random order."""
    slope, null = read.quantity(f"{axis}.slope"), read.quantity(f"{axis}.flipped")
    if slope is None or slope.interval is None or null is None:
        return False
    return max(slope.interval.low, -slope.interval.high) > null.value


def _size(read: Read, axis: str) -> float:
    slope = read.quantity(f"{axis}.slope")
    return abs(slope.value) if slope else 0.0


EXAM = Exam("concepts", "spurious", "spurious.slope", mark, a_dose=FEW)
