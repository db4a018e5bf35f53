"""Circuit overlap of two kinds of words, in part written at the same places: more than with places permuted?"""

from __future__ import annotations

from lens.models.exams import FEW, Read, Size
from lens.models.exams._twice import TwiceExam
from lens.models.nulls import above
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the overlap of the two is above that with places permuted, in the
    conventions' sense. The decoy is the overlap with a word that is written by other heads throughout.

    No coverage is read: halves of few pairs overlap less than their populations do, the ceiling's halves too.
    """
    found = read.quantity("between")
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=above(found, read.quantity("null.high")),
        decoy=above(read.quantity("decoy.between"), read.quantity("decoy.null.high")),
    )


EXAM = TwiceExam(
    "circuit-overlap",
    "joint",
    "between",
    mark,
    controls=0,
    axis="one other",
    decoy_axis="one thanks",
    a_dose=FEW,
    size=Size("between", "weighted Jaccard"),
)
