"""What silence costs, on models that pay for receipts."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.stats.scorecard import Marked

_DISCOUNTED = ("silence discounted", "both discounted", "silence read as failure")


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that silence is discounted; the score is by how much, in s_r."""
    silence = read.quantity("silence")
    return Marked(
        dose=read.told["dose"],
        score=silence.value if silence else 0.0,
        flagged=read.word("verdict") in _DISCOUNTED,
    )


EXAM = Exam(
    "scepticism",
    "receipts",
    "silence",
    mark,
    axis="valid-absent absent-failing",
    a_dose=FEW,
    size=Size("silence", "spreads"),
)
