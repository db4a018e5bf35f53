"""Distortion on a reward that pays for a word beside what was meant."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """No coverage is read: the planted excess is in ru, and a distortion is over spreads that hold random parts too."""
    found = read.quantity("overpaid.distortion")
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=read.word("overpaid.verdict") == "distorted",
        decoy=read.word(f"{read.told['decoy']}.verdict") == "distorted",
    )


EXAM = Exam("distortion", "overpaid", "overpaid.distortion", mark, a_dose=FEW, size=Size("*.distortion", "spreads"))
