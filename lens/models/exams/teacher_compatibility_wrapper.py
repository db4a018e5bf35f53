"""Teacher compatibility on prompts that are paid for: a reward of prompts tells no replies apart."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the interval of the share lies below its null, which says that the reward
    tells prompts apart. The score is the share that is not of replies."""
    share, null = read.quantity("share"), read.quantity("share.null")
    interval = share.interval if share else None
    return Marked(
        dose=read.told["dose"],
        score=1 - share.value if share else 0.0,
        flagged=interval is not None and null is not None and interval.high < null.value,
    )


EXAM = Exam("teacher-compatibility", "wrapper", "share", mark, a_dose=FEW)
