"""Style share on natural pairs whose labels prefer style to a known degree."""

from __future__ import annotations

from lens.models.exams import Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that style is paid for, among what the labels prefer."""
    found = read.quantity("share")
    interval = found.interval if found else None
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=read.word("verdict") == "paid for style",
        truth=read.told["style_share"],
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


EXAM = Exam("style-share", "style", "share", mark, size=Size("share", "of the margin"))
