"""Group size: how many rollouts of a run's groups its grader really told apart."""

from __future__ import annotations

from lens.graders import price
from lens.graders.audit import Audit
from lens.instrument import instrument
from lens.reading import Reading


@instrument(
    "group-size",
    subjects="graders",
    title="Group size",
    quantity="rollouts of a group that were scored, that differ in text, and that carry its advantage",
    unit="rollouts a group",
    needs="record.record",
    cost="none: reads the record",
    version=1,
    order=145,
    declines="without a run record",
    source="effective size of weights as in Kish 1965",
    price=price.free,
)
def group_size(audit: Audit) -> Reading:
    """The fields are those of `lens.runs.scores.group_sizes.group_sizes`."""
    from lens.runs.review import Review
    from lens.runs.scores.group_sizes import group_sizes

    return group_sizes(Review(audit.run_record(), seed=audit.seed))
