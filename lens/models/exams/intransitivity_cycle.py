"""Intransitivity on a model that prefers some styles in a circle."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.models.instruments.intransitivity import CIRCLE
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """No coverage is read: all styles are compared, so the interval is a census and holds the reading alone."""
    cyclic = read.quantity("cyclic")
    return Marked(dose=read.told["dose"], score=cyclic.value if cyclic else 0.0, flagged=read.word("verdict") == CIRCLE)


EXAM = Exam("intransitivity", "cycle", "cyclic", mark, a_dose=FEW, size=Size("cyclic", "of energy"))
