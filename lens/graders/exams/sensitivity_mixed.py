"""Sensitivity to a column that decides part of the score: is its share of the variance in its interval?"""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import Exam, Size
from lens.graders.exams._counts import A_DOSE
from lens.stats.scorecard import Marked

FIELD = "style.total"


def mark(read: Read) -> Marked:
    """The instrument gives shares and no verdict: one whose interval leaves 0 out counts as found."""
    found, dose = read.quantity(FIELD), read.told["dose"]
    interval = found.interval if found and dose else None
    return Marked(
        dose=dose,
        score=float(found.value) if found else 0.0,
        flagged=_moves(read, FIELD),
        truth=dose,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=_moves(read, f"{read.told['decoy']}.total"),
    )


def _moves(read: Read, name: str) -> bool:
    found = read.quantity(name)
    return found is not None and found.interval is not None and found.interval.low > 0


EXAM = Exam("sensitivity", "mixed", FIELD, mark, a_dose=A_DOSE, size=Size("*.total", "of the variance"))
