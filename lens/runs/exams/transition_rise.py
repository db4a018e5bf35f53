"""Transition on a planted rise: is it told from noise and a straight line, and does its interval hold the middle?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import Exam, Size
from lens.stats.scorecard import Marked

A_DOSE = 85  # the smaller rises have seldom an interval: enough that 200 are judged


def mark(read: Read) -> Marked:
    """Flagged where a midpoint is given. The score is by how much the curve beats a line, 0 where it is declined."""
    midpoint, over = read.quantity("reward.midpoint"), read.quantity("reward.over-line")
    judged = midpoint.interval if midpoint and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=over.value if over else 0.0,
        flagged=midpoint is not None,
        truth=read.told["midpoint"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=read.quantity(f"{read.told['decoy']}.midpoint") is not None,
    )


EXAM = Exam("transition", "rise", "reward.midpoint", mark, a_dose=A_DOSE, size=Size("reward.over-line", "AICc"))
