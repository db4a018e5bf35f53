"""Length preference on a model that pays for length."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the slope beside the label leaves 0 out: a model that only follows the label has none there."""
    slope, size = read.quantity("slope.given-label"), read.quantity("correlation")
    interval = slope.interval if slope else None
    return Marked(
        dose=read.told["dose"],
        score=size.value if size else 0.0,
        flagged=interval is not None and interval.low > 0,
    )


EXAM = Exam(
    "length-preference", "filler", "slope.given-label", mark, a_dose=FEW, size=Size("correlation", "within prompts")
)
