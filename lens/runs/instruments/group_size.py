"""Group size: rollouts a group compares: scored, unlike in text, and carrying the advantage."""

from __future__ import annotations

from lens.instrument import instrument
from lens.reading import Declined, Measured
from lens.runs.price import needing
from lens.runs.review import Review


@instrument(
    "group-size",
    subjects="runs",
    title="Group size",
    quantity="rollouts a group compares: scored, unlike in text, and carrying the advantage",
    unit="rollouts a group",
    needs="record.record",
    cost="one pass over the rollouts",
    version=1,
    order=140,
    declines="parts without scores, texts, or advantages and rewards; under 8 groups",
    source="effective size of weights as in Kish 1965, with |A| as weights",
    price=needing("rollouts"),
)
def group_size(review: Review) -> Measured | Declined:
    """The fields are those of `lens.runs.scores.group_sizes.group_sizes`."""
    from lens.runs.scores.group_sizes import group_sizes

    return group_sizes(review)
