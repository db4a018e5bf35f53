"""Scores that are not there: how often a grader said that it can't tell, and whether the total took that for a 0."""

from __future__ import annotations

from lens.reading import Declined, Interval, Label, Measured, Quantity
from lens.runs.record import Record
from lens.runs.review import lacking
from lens.runs.scores.zeros import scores_of
from lens.stats.intervals import share


def abstention(record: Record) -> Measured | Declined:
    """`abstained` k of n leaf scores; `channel` open (the record shows empty scores) or none seen, which over n
    rollouts bounds the rate by 3/n; `forced-to-zero` k of n rollouts with every leaf empty whose total is 0."""
    if (missing := lacking(record, "rollouts")) is not None:
        return missing
    leaves = scores_of(record)
    if not leaves:
        return Declined("record_incomplete", "the record holds no score", "write the leaf scores into the record")
    rows = record.counts["rows"]
    empty, total = (
        sum(
            record.sql(f"SELECT {', '.join(f'count(*) - count({leaf})' for leaf in leaves.values())} FROM rollouts")[0]
        ),
        rows * len(leaves),
    )
    fields: dict[str, Quantity | Label | Declined] = {
        "channel": Label("open: some scores are empty" if empty else "none seen: every score is a number"),
        "abstained": _abstained(empty, total, rows),
        "forced-to-zero": _forced(record, list(leaves.values())),
    }
    return Measured(fields, "abstained", f"{total} leaf scores of {rows} rollouts of one record")


def _abstained(empty: int, total: int, rollouts: int) -> Quantity:
    if empty:
        return share(empty, total, "scores", n_eff=min(total, rollouts))
    rule_of_three = Interval(0.0, min(1.0, 3 / rollouts), "rule-of-three")
    return Quantity(0, "scores", "count", of=total, interval=rule_of_three, n=total, n_eff=rollouts)


def _forced(record: Record, leaves: list[str]) -> Quantity | Declined:
    silent = " AND ".join(f"{leaf} IS NULL" for leaf in leaves)
    (rows,) = record.sql(f"SELECT count(*) FROM rollouts WHERE {silent}")[0]
    if not rows:
        return Declined(
            "not_applicable", "no rollout has all its scores empty", "read a record in which the grader abstained"
        )
    if "reward" not in record.columns or list(record.header.leaves) in ([], ["reward"]):
        return Declined(
            "record_incomplete",
            "the record has no total beside its leaves",
            "write the total `reward` beside the leaf scores",
            needs="column reward and leaf scores",
        )
    (forced,) = record.sql(f"SELECT count(*) FROM rollouts WHERE {silent} AND reward = 0")[0]
    return share(forced, rows, "rollouts")
