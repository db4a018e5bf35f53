"""Features it pays for, by a dictionary beside the model that holds a known share of what margins are made of."""

from __future__ import annotations

from lens.models.exams import Exam, Read, Size
from lens.reading import Label
from lens.stats.scorecard import Marked

A_DOSE = 50  # what a random dictionary keeps isn't known beforehand: intervals are judged at positive doses alone
UNPAID = "feature 1"


def mark(read: Read) -> Marked:
    """Flagged where the instrument names a feature, as it does of a dictionary that keeps more than untrained ones; the
    decoy is the feature that is held and fires and isn't paid for."""
    found, dose = read.quantity("kept"), read.told["dose"]
    interval = found.interval if found and dose else None
    return Marked(
        dose=dose,
        score=found.value if found else 0.0,
        flagged=isinstance(read.fields.get("top"), Label),
        truth=dose,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=read.word("top") == UNPAID if dose else None,
    )


EXAM = Exam(
    "sparse-autoencoder",
    "held",
    "kept",
    mark,
    controls=0,
    axis="natural",
    a_dose=A_DOSE,
    size=Size("kept", "of the margin's energy"),
)
