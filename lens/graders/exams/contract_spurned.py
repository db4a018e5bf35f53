"""Contract on the oracle's own answers, refused. The decoy: that another gold's answer is said to be paid."""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import Exam
from lens.graders.exams._counts import A_DOSE
from lens.stats.scorecard import Marked

FIELD = "oracle-paid"


def mark(read: Read) -> Marked:
    """Flagged where any gold's own answer isn't paid, which the instrument lists as a defect. The score is the share of
    such golds."""
    paid, wrong, dose = read.quantity(FIELD), read.quantity("wrong-paid"), read.told["dose"]
    interval = paid.interval if paid and dose else None
    return Marked(
        dose=dose,
        score=1 - paid.value / paid.of if paid and paid.of else 0.0,
        flagged=paid is not None and paid.value != paid.of,
        truth=1 - dose,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=wrong is not None and wrong.value > 0,
    )


EXAM = Exam("contract", "spurned", FIELD, mark, a_dose=A_DOSE)
