"""Silent zeros: scores of exactly 0, and how many of them stand where the grader failed."""

from __future__ import annotations

from lens.instrument import instrument
from lens.reading import Declined, Measured
from lens.runs.price import needing
from lens.runs.review import Review


@instrument(
    "silent-zeros",
    subjects="runs",
    title="Silent zeros",
    quantity="scores of exactly 0, and how many of them stand where the grader failed",
    unit="scores",
    needs="record.record",
    cost="one pass over the rollouts",
    version=2,
    order=150,
    declines="without scores; the share of failures without an error column",
    source="zeros and failures counted from the record's own columns",
    price=needing("rollouts"),
)
def silent_zeros(review: Review) -> Measured | Declined:
    """The fields are those of `lens.runs.scores.zeros.zeros`."""
    from lens.runs.scores.zeros import zeros

    return zeros(review.record())
