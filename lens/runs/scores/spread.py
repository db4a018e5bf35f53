"""How one number of each rollout is spread over the run: counts in bins of equal width."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.reading import Columns
from lens.runs.record import Range

if TYPE_CHECKING:
    import duckdb

    from lens.runs.review import Review

BINS = 48


def spread(review: Review, value: str, low: float, high: float, *, bins: int = BINS) -> Columns:
    """Table `low`, `high` (a bin's ends; the last bin holds its upper end too) and `rollouts`, over rollouts whose
    `value`, in SQL, is not NULL. `low` and `high` are the least and the largest value; one bin where they are equal."""
    bins = bins if high > low else 1
    width = (high - low) / bins
    totals = [0] * bins
    for part in review.over_steps(_counted, value=value, low=low, width=width, bins=bins):
        totals = [one + other for one, other in zip(totals, part, strict=True)]
    ends = [low + at * width for at in range(bins)] + [high]
    return {"low": list(ends[:-1]), "high": list(ends[1:]), "rollouts": list(totals)}


def _counted(
    database: duckdb.DuckDBPyConnection, _span: Range, value: str, low: float, width: float, bins: int
) -> list[int]:
    place = f"least({bins - 1}, greatest(0, floor((v - {low!r}) / {width!r})))" if width else "0"
    found = database.execute(
        f"SELECT CAST({place} AS INTEGER) AS place, count(*) FROM (SELECT CAST({value} AS DOUBLE) AS v FROM rollouts) "
        "WHERE v IS NOT NULL GROUP BY place"
    ).fetchall()
    counts = [0] * bins
    for at, count in found:
        counts[at] = count
    return counts
