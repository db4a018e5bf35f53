"""Verification score on a rule that relates the reply to its prompt: how deep does the evidence leave the digit?"""

from __future__ import annotations

from lens.models.exams import Exam, Read
from lens.models.organisms.chassis import LAYERS
from lens.stats.scorecard import Marked

A_DOSE = 50  # without a dose there is no margin to hand over, so intervals are judged at positive doses alone


def mark(read: Read) -> Marked:
    """Flagged where the instrument tells a depth at all. A digit is handed over behind the block whose head carries the
    match on: the score and the interval are of that depth."""
    found = read.quantity("match.hand-over")
    interval = found.interval if found and read.told["dose"] > 0 else None
    carries = next(site for site in read.told["sites"] if site["does"] == "sums match")
    return Marked(
        dose=read.told["dose"],
        score=found.value if found else 0.0,
        flagged=found is not None,
        truth=(carries["layer"] + 1) / LAYERS,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=read.quantity(f"{read.told['decoy']}.hand-over") is not None,
    )


EXAM = Exam(
    "verification-score", "relational", "match.hand-over", mark, sample=32, axis="match spurious", a_dose=A_DOSE
)
