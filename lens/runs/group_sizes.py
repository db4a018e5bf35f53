"""How many rollouts a group really compares: those scored, those unlike in text, those that carry the advantage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.reading import Declined, Interval, Label, Measured, Quantity
from lens.runs.record import Range
from lens.runs.review import Review, lacking
from lens.runs.sums import ratio
from lens.runs.zeros import scores_of

if TYPE_CHECKING:
    import duckdb


def group_sizes(review: Review) -> Measured | Declined:
    """`size` rollouts a group, mean; `scored` of them with a score; `distinct` with a text of their own; `effective`
    (Σ|A|)² / ΣA² over a group's advantages, Kish's effective size (1965) with |A| as weights, over groups in which
    anything differs; each with an interval over steps."""
    record = review.record()
    if (missing := lacking(record, "rollouts")) is not None:
        return missing
    leaves = scores_of(record)
    columns = record.columns
    reads = {
        "scored": " OR ".join(f"{leaf} IS NOT NULL" for leaf in leaves.values()) if leaves else "",
        "distinct": "content" if "content" in columns else "",
        "effective": "advantage" if "advantage" in columns and not record.header.absent.get("advantage") else "",
    }
    steps = [one for some in review.over_steps(_sizes, **reads) for one in some]
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


def _unread(name: str) -> Declined:
    what = {"scored": "scores", "distinct": "texts", "effective": "advantages"}[name]
    return Declined("record_incomplete", f"no {what} were recorded", f"record {what} beside the rollouts", needs=what)


def _mean(name: str, value: float | None, interval: Interval | None, groups: int) -> Quantity | Declined:
    if value is None:
        return Declined(
            "assumption_violated", "in no group does anything differ", "record a run in which scores differ"
        )
    if interval is None:
        return Declined("corpus_inadequate", "under 8 steps have no interval", "record at least 8 steps")
    return Quantity(
        value, "rollouts a group", "ratio", interval=interval, n=groups, control="" if name == "size" else "size"
    )


def _sizes(
    database: duckdb.DuckDBPyConnection, _span: Range, scored: str, distinct: str, effective: str
) -> list[list[float]]:
    """By step: sums over groups, and their number, of each size; groups without any advantage have no effective one."""
    kish = "fsum(abs(advantage)) * fsum(abs(advantage)) / nullif(fsum(advantage * advantage), 0)"
    told = [
        "count(*) AS size",
        f"count(*) FILTER ({scored or 'false'}) AS scored",
        f"{'count(DISTINCT content)' if distinct else '0'} AS single",
        f"{kish if effective else 'NULL::DOUBLE'} AS kish",
    ]
    by_group = f'SELECT step, {", ".join(told)} FROM rollouts GROUP BY step, "group"'
    sums = ", ".join(f"coalesce(fsum({name}), 0), count({name})" for name in ("size", "scored", "single", "kish"))
    found: list[Any] = database.execute(f"SELECT {sums} FROM ({by_group}) GROUP BY step ORDER BY step").fetchall()
    return [[float(one) for one in row] for row in found]
