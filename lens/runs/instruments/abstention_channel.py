"""Abstention channel: rollouts on which a grader gave no score, and whether the total took that for a 0."""

from __future__ import annotations

from lens.instrument import instrument
from lens.reading import Declined, Measured
from lens.runs.price import needing
from lens.runs.review import Review


@instrument(
    "abstention-channel",
    subjects="runs",
    title="Abstention channel",
    quantity="rollouts on which a grader gave no score, and whether the total took that for a 0",
    unit="scores",
    needs="record.record",
    cost="one pass over the rollouts",
    version=1,
    order=160,
    declines="without scores; `forced-to-zero` without a total or without an abstention",
    source="an abstention is not a zero: [1, 0, none, 1] and [1, 0, 0, 1] have different advantages",
    price=needing("rollouts"),
)
def abstention_channel(review: Review) -> Measured | Declined:
    """The fields are those of `lens.runs.scores.abstention.abstention`."""
    from lens.runs.scores.abstention import abstention

    return abstention(review.record())
