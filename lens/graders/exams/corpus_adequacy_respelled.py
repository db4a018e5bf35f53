"""Corpus adequacy on right answers in other words: is the share that tells the grader from equality in its interval?"""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE
from lens.stats.scorecard import Marked

FIELD = "crossed.equality-differs"
RIGHT = 0.5  # of the rows of that corpus


def mark(read: Read) -> Marked:
    """Flagged where the instrument calls the corpus adequate. The decoy is a corpus of the same right answers and no
    wrong one, on which a constant does as well."""
    found, dose = read.quantity(FIELD), read.told["dose"]
    interval = found.interval if found and dose else None
    return Marked(
        dose=dose,
        score=found.value / found.of if found and found.of else 0.0,
        flagged=read.word("crossed.adequate") == "adequate",
        truth=dose * RIGHT,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=read.word("gold.adequate") == "adequate",
    )


EXAM = Exam(
    "corpus-adequacy", "respelled", FIELD, mark, a_dose=A_DOSE, fill=True, size=Size("*.equality-differs", "of rows")
)
