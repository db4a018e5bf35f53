"""Receipt reliance on models that pay for receipts, for narratives, or both."""

from __future__ import annotations

from lens.models.exams import Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the interval of the share that is for receipts lies above 0, which is
    that of a model that reads narratives alone."""
    found = read.quantity("reliance")
    interval = found.interval if found else None
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=interval is not None and interval.low > 0,
        truth=read.told["dose"],
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


EXAM = Exam(
    "receipt-reliance",
    "receipts",
    "reliance",
    mark,
    axis="valid-falsified narrative-falsified",
    size=Size("reliance", "of both"),
)
