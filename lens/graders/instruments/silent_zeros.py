"""Silent zeros: scores of nought in a training log that may be failures of the grader and not of the answer."""

from __future__ import annotations

from itertools import groupby

from lens.graders import price
from lens.graders.audit import Audit
from lens.graders.record import RunRecord
from lens.instrument import instrument
from lens.names import kebab
from lens.reading import Declined, Label, Measured, Quantity, Reading
from lens.stats.intervals import share


@instrument(
    "silent-zeros",
    subjects="graders",
    title="Silent zeros",
    quantity="scores of exactly 0 in a run's record, and how many of them stand where the grader failed",
    unit="scores",
    needs="record.record",
    cost="none: reads the record",
    version=1,
    order=150,
    declines="without a run record; the share of failures without an error column",
    source="zeros and failures counted from the record's own columns",
    price=price.free,
)
def silent_zeros(audit: Audit) -> Reading:
    """Zeros of every leaf, and those on rollouts whose `error` or `status` says that scoring failed.

    `zeros` k of n scores given; `silent` k of the zeros; `dead-groups` k of n groups whose every given
    score is 0 (such a group moves nothing); `{leaf}.zeros` where the record has more than one leaf.
    """
    record = audit.run_record()
    given = [
        (leaf, at) for leaf, scores in record.leaves.items() for at, score in enumerate(scores) if score is not None
    ]
    if not given:
        return Declined(
            "record_incomplete", "every score in the record is empty", "write the leaf scores into the record"
        )
    zeros = [(leaf, at) for leaf, at in given if record.leaves[leaf][at] == 0.0]
    fields: dict[str, Quantity | Label | Declined] = {
        "zeros": share(len(zeros), len(given), "scores", n_eff=len({at for _, at in given})),
        "silent": _silent(record, zeros),
        "dead-groups": _dead_groups(record),
    }
    if len(record.leaves) > 1:
        for leaf in record.leaves:
            mine = [at for name, at in given if name == leaf]
            if mine:
                fields[f"{kebab(leaf)}.zeros"] = share(sum(name == leaf for name, _ in zeros), len(mine), "scores")
    return Measured(
        fields, "silent" if isinstance(fields["silent"], Quantity) else "zeros", f"{len(record)} rollouts of one record"
    )


def _silent(record: RunRecord, zeros: list[tuple[str, int]]) -> Quantity | Declined:
    if not zeros:
        return Declined(
            "not_applicable", "the record holds no score of 0", "read a record of a run in which something scored 0"
        )
    if record.failed is None:
        return Declined(
            "record_incomplete",
            "nothing in the record tells a failed scoring from a wrong answer",
            "add an `error` column (empty when scoring worked) to the rollouts",
            needs="column error or status",
            bound=Quantity(len(zeros), "scores", "count", of=len(zeros), note="at most every zero is a failure"),
        )
    failed = record.failed
    return share(sum(failed[at] for _, at in zeros), len(zeros), "zeros", n_eff=len({at for _, at in zeros}))


def _dead_groups(record: RunRecord) -> Quantity:
    order = sorted(range(len(record)), key=lambda at: record.groups[at])
    scored = dead = 0
    for _, members in groupby(order, key=lambda at: record.groups[at]):
        scores = [leaf[at] for at in members for leaf in record.leaves.values() if leaf[at] is not None]
        scored += bool(scores)
        dead += bool(scores) and not any(scores)
    return share(dead, scored, "groups")
