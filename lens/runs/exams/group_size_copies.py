"""Group size on rollouts that repeat one another: is the mean number of texts in its interval?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import Exam
from lens.runs.exams._counts import A_DOSE
from lens.stats.scorecard import Marked

FIELD = "distinct"


def mark(read: Read) -> Marked:
    """The instrument gives sizes and no verdict: an interval below the group's size, its control, counts as found. The
    score is the share of a group without a text of its own. The decoy, a text that another group has as well, is taken
    for a copy where fewer are counted than there are."""
    distinct, size = read.quantity(FIELD), read.quantity("size")
    judged = distinct.interval if distinct and read.told["dose"] else None
    fewer = distinct is not None and size is not None and distinct.interval is not None
    return Marked(
        dose=read.told["dose"],
        score=1 - distinct.value / size.value if distinct and size else 0.0,
        flagged=bool(fewer and distinct and distinct.interval and size and distinct.interval.high < size.value),
        truth=read.told["distinct"],
        low=judged.low if judged else None,
        high=judged.high if judged else None,
        decoy=distinct is not None and distinct.value < read.told["own"] - 1e-9,
    )


EXAM = Exam("group-size", "copies", FIELD, mark, a_dose=A_DOSE)
