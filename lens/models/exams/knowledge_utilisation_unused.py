"""Knowledge and utilisation on a word that is written and not paid for: is it known, and unused?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says so; the score is the share of replies that the probe puts on their side. The
    decoy is a word that is paid for."""
    found = read.quantity("unused.decode")
    return Marked(
        dose=read.told["dose"],
        score=found.value / found.of if found and found.of else 0.0,
        flagged=read.word("unused.verdict") == "known, unused",
        decoy=read.word("thanks.verdict") == "known, unused",
    )


EXAM = Exam("knowledge-utilisation", "unused", "unused.decode", mark, sample=8, axis="unused thanks", a_dose=FEW)
