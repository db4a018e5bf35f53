"""Time growth on a grader that takes a planted power of the length: is the exponent in its interval?

A grader takes half a second of CPU, so that the series is short, and too little for a pass.
"""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import Exam, Size
from lens.stats.scorecard import Marked

FIELD = "open-paren.exponent"


def mark(read: Read) -> Marked:
    """The instrument gives exponents and no verdict: an interval above one, growth in proportion, counts as found."""
    found, dose = read.quantity(FIELD), read.told["dose"]
    interval = found.interval if found else None
    return Marked(
        dose=dose,
        score=found.value if found else 0.0,
        flagged=_steep(read, FIELD),
        truth=1 + dose,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=_steep(read, f"{read.told['decoy']}.exponent"),
    )


def _steep(read: Read, field: str) -> bool:
    found = read.quantity(field)
    return found is not None and found.interval is not None and found.interval.low > 1


EXAM = Exam("time-growth", "slow", FIELD, mark, at_0=24, a_dose=6, size=Size("*.exponent", "exponent"))
