"""How many rollouts a group really compares: those scored, those unlike in text, those that carry the advantage.

The effective size of a group is Kish's (1965), (Σ|A|)² / ΣA²: that of a group in which as much advantage is spread
evenly. It doesn't change when a group's advantages are all scaled, so where none were recorded a reward's distance
from its group's mean gives the same, to which every rule of a group is proportional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.reading import Declined, Interval, Label, Measured, Quantity
from lens.runs.record import Range, Record
from lens.runs.review import Review, lacking
from lens.runs.scores.zeros import scores_of
from lens.runs.sums import ratio

if TYPE_CHECKING:
    import duckdb

LEAST = 8  # steps, or parts of their groups, that have an interval
NOISE = 1e-6  # advantages of a group whose rewards are equal, in single precision
PARTS = 64  # of the groups of a step: in an evaluation all groups are of one step, and tell of one policy each
CENTRED = 'reward - avg(reward) OVER (PARTITION BY "group")'


def group_sizes(review: Review) -> Measured | Declined:
    """`size` rollouts a group, mean; `scored` of them with a score; `distinct` with a text of their own; `effective`
    over groups in which rewards differ; each with an interval over steps, or, where steps are few, over
    `PARTS` parts of their groups."""
    record = review.record()
    if (missing := lacking(record, "rollouts")) is not None:
        return missing
    leaves = scores_of(record)
    columns = record.columns
    reads = {
        "scored": " OR ".join(f"{leaf} IS NOT NULL" for leaf in leaves.values()) if leaves else "",
        "distinct": "content" if "content" in columns else "",
        "effective": _pull(record),
    }
    parts = PARTS if record.counts["steps"] < LEAST else 1
    apart = "max(reward) > min(reward)" if _whole(record, "reward") else f"max(abs(pull)) > {NOISE}"
    steps = [one for some in review.over_steps(_sizes, parts=parts, apart=apart, **reads) for one in some]
    fields: dict[str, Quantity | Label | Declined] = {}
    for at, name in enumerate(("size", "scored", "distinct", "effective")):
        if name != "size" and not reads[name]:
            fields[name] = _unread(name)
            continue
        value, interval, _ = ratio(
            [(one[2 * at], one[2 * at + 1]) for one in steps], seed=review.seed, draws=review.draws
        )
        fields[name] = _mean(name, value, interval, sum(int(one[2 * at + 1]) for one in steps))
    scope = f"Groups of {record.name}; rollouts that differ in text alone may still say the same."
    return Measured(fields, "effective" if isinstance(fields["effective"], Quantity) else "size", scope)


def _pull(record: Record) -> str:
    """SQL of what a rollout's advantage is proportional to within its group; "" where nothing says."""
    for name, pull in (("advantage", "advantage"), ("reward", CENTRED)):
        if _whole(record, name):
            return pull
    return ""


def _whole(record: Record, name: str) -> bool:
    return name in record.columns and not record.header.absent.get(name)


def _unread(name: str) -> Declined:
    what = {"scored": "scores", "distinct": "texts", "effective": "advantages and rewards"}[name]
    return Declined("record_incomplete", f"no {what} were recorded", f"record {what} beside the rollouts", needs=what)


def _mean(name: str, value: float | None, interval: Interval | None, groups: int) -> Quantity | Declined:
    if value is None:
        return Declined(
            "assumption_violated", "in no group does anything differ", "record a run in which scores differ"
        )
    if interval is None:
        return Declined("corpus_inadequate", f"{groups} groups have no interval", f"record at least {LEAST}")
    return Quantity(
        value, "rollouts a group", "ratio", interval=interval, n=groups, control="" if name == "size" else "size"
    )


def _sizes(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    parts: int,
    apart: str,
    scored: str,
    distinct: str,
    effective: str,
) -> list[list[float]]:
    """By step and part: sums over groups, and their number, of each size; groups without any advantage have no
    effective one."""
    kish = f"CASE WHEN {apart} THEN fsum(abs(pull)) * fsum(abs(pull)) / nullif(fsum(pull * pull), 0) END"
    told = [
        "count(*) AS size",
        f"count(*) FILTER ({scored or 'false'}) AS scored",
        f"{'count(DISTINCT content)' if distinct else '0'} AS single",
        f"{kish if effective else 'NULL::DOUBLE'} AS kish",
    ]
    pulled = f"SELECT *, {effective or 'NULL::DOUBLE'} AS pull FROM rollouts"
    by_group = f'SELECT step, "group" % {parts} AS part, {", ".join(told)} FROM ({pulled}) GROUP BY step, "group"'
    sums = ", ".join(f"coalesce(fsum({name}), 0), count({name})" for name in ("size", "scored", "single", "kish"))
    by_part = f"SELECT {sums} FROM ({by_group}) GROUP BY step, part ORDER BY step, part"
    found: list[Any] = database.execute(by_part).fetchall()
    return [[float(one) for one in row] for row in found]
