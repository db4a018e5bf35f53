"""Score tree on a leaf of a planted share: is the share in its interval, and is a leaf that no group tells apart 0?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import Exam, Size
from lens.stats.scorecard import Marked

A_DOSE = 50  # intervals are judged at positive doses alone: four times 50 of them


def mark(read: Read) -> Marked:
    """The instrument gives shares and no verdict: one whose interval leaves 0 out counts as found."""
    share = read.quantity("style.share")
    judged = share.interval if share and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=share.value if share else 0.0,
        flagged=found(read, "style"),
        truth=read.told["dose"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=found(read, read.told["decoy"]),
    )


def found(read: Read, leaf: str) -> bool:
    share = read.quantity(f"{leaf}.share")
    return share is not None and share.interval is not None and max(share.interval.low, -share.interval.high) > 0


EXAM = Exam("score-tree", "leaf", "style.share", mark, a_dose=A_DOSE, size=Size("*.share", "of the variance in groups"))
