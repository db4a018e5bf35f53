"""Taking a word that should not matter out of the head: does it take away what the word is paid?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where less is left than by a control. The score is the share of the margin that went, 0 where there is no
    margin to take it of. Ablation inside the network is not marked: it reads one depth, and a word may be summed
    above it, as the scorecard of concepts shows."""
    left = read.quantity("spurious.head-edit")
    return Marked(
        dose=read.told["dose"],
        score=1 - left.value if left else 0.0,
        flagged=removed(read, "spurious"),
        decoy=removed(read, read.told["decoy"]),
    )


def removed(read: Read, axis: str) -> bool:
    """Whether the interval of what is left lies below that of directions fitted to sides in random order."""
    left, control = read.quantity(f"{axis}.head-edit"), read.quantity(f"{axis}.head-edit.control")
    if left is None or left.interval is None or control is None:
        return False
    return left.interval.high < control.value


EXAM = Exam("steering", "spurious", "spurious.head-edit", mark, sample=24, axis="spurious filler", a_dose=FEW)
