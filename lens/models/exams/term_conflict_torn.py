"""Term conflict on a word whose worth a later head takes back in part."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument counts a pair of terms as conflicting; the score is how opposed the worst are."""
    found, worst = read.quantity("conflicting"), read.quantity("worst.correlation")
    return Marked(
        dose=read.told["dose"],
        score=-worst.value if worst else 0.0,
        flagged=found is not None and found.value > 0,
    )


EXAM = Exam("term-conflict", "torn", "worst.correlation", mark, controls=0, axis="natural", a_dose=FEW)
