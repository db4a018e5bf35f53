"""Robustness on a reward that follows the wording to a known share: plain words mean the same to its rule."""

from __future__ import annotations

from lens.models.exams import Exam, Read, Size
from lens.models.nulls import above
from lens.models.organisms.families.legible import PREDICATES
from lens.stats.scorecard import Marked

CHOSEN = 1 / (1 - 0.5 ** len(PREDICATES))
"""Times as much variance between the two replies of a natural pair as between any two: none ties in every predicate."""


def mark(read: Read) -> Marked:
    """Flagged where the ratio lies above its null. The interval is that of the share of the variance between replies,
    which is exact for pairs drawn as these are."""
    ratio, share = read.quantity("snr"), read.quantity("icc")
    interval = share.interval if share else None
    between = CHOSEN * read.told["dose"]
    return Marked(
        dose=read.told["dose"],
        score=share.value if share else 0.0,
        flagged=ratio is not None and above(ratio, read.fields["null"]),
        truth=between / (between + 1 - read.told["dose"]),
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


EXAM = Exam("robustness", "legible", "icc", mark, size=Size("icc", "of the variance"))
