"""The reward lens on a word whose worth is written early and late, in known parts."""

from __future__ import annotations

from lens.models.exams import Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the interval of the share that stands at half the depth lies above 0."""
    found = read.quantity("frozen.middle-share")
    interval = found.interval if found else None
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=interval is not None and interval.low > 0,
        truth=read.told["early_share"],
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


EXAM = Exam(
    "reward-lens",
    "early",
    "frozen.middle-share",
    mark,
    sample=8,
    controls=0,
    axis="split",
    size=Size("*.middle-share", "share of the margin"),
)
