"""Training dynamics over checkpoints at one of which a word comes to be paid for."""

from __future__ import annotations

from lens.models.exams import Exam, Read
from lens.stats.scorecard import Marked

A_DOSE = 70  # the smallest dose has seldom an onset: enough that 200 intervals are judged


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where an onset is given, as it is where the last effect is above its null. The
    interval is the onset's, held against the planted step; where nothing enters there is none to hold it against."""
    dose = read.told["dose"]
    onset, final = read.quantity("entered.onset"), read.quantity("entered.final")
    interval = onset.interval if onset and dose > 0 else None
    return Marked(
        dose=dose,
        score=abs(final.value) if final else 0.0,
        flagged=onset is not None,
        truth=read.told["entry"],
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=read.quantity("spurious.onset") is not None,
    )


EXAM = Exam("dynamics", "entered", "entered.onset", mark, controls=0, axis="entered spurious", a_dose=A_DOSE)
