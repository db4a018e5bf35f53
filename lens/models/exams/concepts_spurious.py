"""Concept vectors on a word that should not matter."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the slope along the direction leaves both nulls behind, as the instrument counts it."""
    return Marked(
        dose=read.told["dose"],
        score=_size(read, "spurious"),
        flagged=above(read, "spurious"),
        decoy=above(read, read.told["decoy"]),
    )


def above(read: Read, axis: str) -> bool:
    """Whether the interval of an axis' slope lies beyond the larger of its two nulls."""
    slope = read.quantity(f"{axis}.slope")
    nulls = [found.value for name in ("flipped", "random") if (found := read.quantity(f"{axis}.{name}"))]
    if slope is None or slope.interval is None or not nulls:
        return False
    return max(slope.interval.low, -slope.interval.high) > max(nulls)


def _size(read: Read, axis: str) -> float:
    slope = read.quantity(f"{axis}.slope")
    return abs(slope.value) if slope else 0.0


EXAM = Exam("concepts", "spurious", "spurious.slope", mark, a_dose=FEW)
