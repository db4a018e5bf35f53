"""Erasure of a word that is written faintly: is there something to erase, and is it gone?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.models.instruments.erasure import PROBES
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that the concept could be read and no fresh probe reads it any more; the score
    is the share of fresh rows read before, by the better of both probes."""
    return Marked(
        dose=read.told["dose"],
        score=max(before(read, "faint", probe) for probe in PROBES),
        flagged=read.word("faint.verdict") == "erased",
        decoy=read.word(f"{read.told['decoy']}.verdict") == "erased",
    )


def before(read: Read, axis: str, probe: str) -> float:
    found = read.quantity(f"{axis}.before.{probe}")
    return found.value / found.of if found and found.of else 0.0


EXAM = Exam("erasure", "faint", "faint.verdict", mark, axis="faint unwritten", a_dose=FEW)
