"""Abstention channel: whether the grader may say "I can't tell", and what training made of it."""

from __future__ import annotations

from lens.graders import price
from lens.graders.audit import Audit
from lens.graders.record import RunRecord
from lens.instrument import instrument
from lens.reading import Declined, Interval, Label, Measured, Quantity, Reading
from lens.stats.intervals import share


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
    """Null and NaN leaf scores counted apart from zeros.

    `abstained` k of n leaf scores; `channel` open (the record shows empty scores) or none seen, which over n
    scores bounds the rate by 3/n; `forced-to-zero` k of n rollouts with every leaf empty whose total is 0.
    """
    record = audit.run_record()
    total = sum(len(scores) for scores in record.leaves.values())
    empty = sum(score is None for scores in record.leaves.values() for score in scores)
    seen = "open: some scores are empty" if empty else "none seen: every score is a number"
    fields: dict[str, Quantity | Label | Declined] = {
        "channel": Label(seen),
        "abstained": _abstained(empty, total, len(record)),
        "forced-to-zero": _forced(record),
    }
    return Measured(fields, "abstained", f"{total} leaf scores of {len(record)} rollouts of one record")


def _abstained(empty: int, total: int, rollouts: int) -> Quantity:
    if empty:
        return share(empty, total, "scores", n_eff=min(total, rollouts))
    rule_of_three = Interval(0.0, min(1.0, 3 / rollouts), "rule-of-three")
    return Quantity(0, "scores", "count", of=total, interval=rule_of_three, n=total, n_eff=rollouts)


def _forced(record: RunRecord) -> Quantity | Declined:
    silent = [at for at in range(len(record)) if all(scores[at] is None for scores in record.leaves.values())]
    if not silent:
        return Declined(
            "not_applicable", "no rollout has all its scores empty", "read a record in which the grader abstained"
        )
    if record.totals is None or list(record.leaves) == ["reward"]:
        return Declined(
            "record_incomplete",
            "the record has no total beside its leaves",
            "write the total `reward` beside the leaf scores",
            needs="column reward and leaf scores",
        )
    return share(sum(record.totals[at] == 0.0 for at in silent), len(silent), "rollouts")
