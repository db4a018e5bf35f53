"""Markers on a mean that shifts: is the step at which it did in its interval, and is a blip no change of the mean?"""

from __future__ import annotations

from lens.exam import Read
from lens.reading import Quantity
from lens.runs.exams import Exam
from lens.runs.planted.shift import ONSET
from lens.stats.scorecard import Marked

A_DOSE = 100  # the smaller shifts have seldom an interval: enough that 200 are judged


def mark(read: Read) -> Marked:
    """Flagged where a change is given. The score is by how much the mean moved there, 0 where it is declined."""
    change, shift = read.quantity("reward.change"), read.quantity("reward.shift")
    judged = change.interval if change and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=float(shift.value) if shift else 0.0,
        flagged=change is not None,
        truth=float(ONSET),
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=isinstance(read.fields.get(f"{read.told['decoy']}.change"), Quantity),
    )


EXAM = Exam("markers", "shift", "reward.change", mark, a_dose=A_DOSE)
