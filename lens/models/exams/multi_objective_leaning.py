"""The closest of two objectives, one of which leans on the other."""

from __future__ import annotations

from lens.models.exams import FEW, Read, Size
from lens.models.exams._beside import BesideExam
from lens.models.nulls import above
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the interval of the closest two's correlation lies above its null."""
    found = read.quantity("closest.whitened")
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=found is not None and above(found, read.fields["closest.null"]),
    )


EXAM = BesideExam(
    "multi-objective",
    "leaning",
    "closest.whitened",
    mark,
    axis="natural",
    a_dose=FEW,
    size=Size("closest.whitened", "within prompts"),
)
