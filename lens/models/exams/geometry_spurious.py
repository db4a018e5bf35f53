"""Geometry on a word that should not matter: does the head read what the word's readout says?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the whole interval lies beyond the null. What is planted is ru a word, not a correlation, so that
    coverage has nothing to be judged by."""
    found = read.quantity("spurious.whitened")
    return Marked(
        dose=read.told["dose"],
        score=abs(found.value) if found else 0.0,
        flagged=beyond(read, "spurious"),
        decoy=beyond(read, read.told["decoy"]),
    )


def beyond(read: Read, axis: str) -> bool:
    found, null = read.quantity(f"{axis}.whitened"), read.quantity(f"{axis}.null")
    if found is None or found.interval is None or null is None:
        return False
    return max(found.interval.low, -found.interval.high) > null.value


EXAM = Exam("geometry", "spurious", "spurious.whitened", mark, a_dose=FEW, size=Size("|*.whitened|", "within prompts"))
