"""Dark reward on a reward of which named words make a known share."""

from __future__ import annotations

from lens.models.exams import Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that the linear fit explains something. The score is what is explained."""
    found = read.quantity("linear")
    interval = found.interval if found else None
    return Marked(
        dose=read.told["dose"],
        score=1 - found.value if found else 0.0,
        flagged="linear" in read.word("explains"),
        truth=1 - read.told["dose"],
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


EXAM = Exam("dark-reward", "legible", "linear", mark)
