"""Faithfulness on a word that one head sums for the reward: is what it writes also what it does?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that attribution orders effects better than in an untrained model. With no dose
    the network is random parts, and is as faithful as a re-initialised copy; with one, the part that matters is named
    by both readings, and the seven others still are random."""
    rho = read.quantity("rho-pair")
    return Marked(
        dose=read.told["dose"],
        score=rho.value if rho else 0.0,
        flagged=read.word("verdict").endswith("better than in an untrained model"),
    )


EXAM = Exam(
    "faithfulness",
    "spurious",
    "excess",
    mark,
    sample=16,
    controls=8,
    axis="spurious",
    a_dose=FEW,
    limit="one part that is written as it acts, among others that are not: ranks count every part alike",
)
