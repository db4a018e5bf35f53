"""Silent zeros: scores of nought in a training log that may be failures of the grader and not of the answer."""

from __future__ import annotations

from lens.graders import price
from lens.graders.audit import Audit
from lens.instrument import instrument
from lens.reading import Reading


@instrument(
    "silent-zeros",
    subjects="graders",
    title="Silent zeros",
    quantity="scores of exactly 0 in a run's record, and how many of them stand where the grader failed",
    unit="scores",
    needs="record.record",
    cost="none: reads the record",
    version=2,
    order=150,
    declines="without a run record; the share of failures without an error column",
    source="zeros and failures counted from the record's own columns",
    price=price.free,
)
def silent_zeros(audit: Audit) -> Reading:
    """The fields are those of `lens.runs.scores.zeros.zeros`."""
    from lens.runs.scores.zeros import zeros

    return zeros(audit.run_record())
