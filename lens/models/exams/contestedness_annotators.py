"""Contestedness on the mean of raters who disagree about a word."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that disagreement is held beyond the margin. At dose 0 all raters like alike,
    and how far they disagree is how close the pair is to them."""
    found = read.quantity("partial")
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=read.word("verdict") == "held",
    )


EXAM = Exam("contestedness", "annotators", "partial", mark, a_dose=FEW, size=Size("partial", "given the margin"))
