"""Series on a reward that rises along a line: is the change from the first tenth to the last in its interval?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import Exam
from lens.runs.exams._counts import A_DOSE, above
from lens.stats.scorecard import Marked

FIELD = "reward.change"


def mark(read: Read) -> Marked:
    """The instrument gives a change and no verdict: one whose interval lies above 0 counts as found."""
    change = read.quantity(FIELD)
    judged = change.interval if change and read.told["dose"] else None
    return Marked(
        dose=read.told["dose"],
        score=float(change.value) if change else 0.0,
        flagged=above(change),
        truth=read.told["change"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=above(read.quantity(f"{read.told['decoy']}.change")),
    )


EXAM = Exam("series", "drift", FIELD, mark, a_dose=A_DOSE)
