"""Abstention channel: whether the grader may say "I can't tell", and what training made of it."""

from __future__ import annotations

from lens.graders import price
from lens.graders.audit import Audit
from lens.instrument import instrument
from lens.reading import Reading


@instrument(
    "abstention-channel",
    subjects="graders",
    title="Abstention channel",
    quantity="rollouts on which the grader gave no score, and whether the total took that for a 0",
    unit="scores",
    needs="record.record",
    cost="none: reads the record",
    version=1,
    order=160,
    declines="without a run record; `forced-to-zero` without a total or without an abstention",
    source="an abstention is not a zero: [1, 0, none, 1] and [1, 0, 0, 1] have different advantages",
    price=price.free,
)
def abstention_channel(audit: Audit) -> Reading:
    """The fields are those of `lens.runs.scores.abstention.abstention`."""
    from lens.runs.scores.abstention import abstention

    return abstention(audit.run_record())
