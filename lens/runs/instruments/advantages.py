"""Advantages: what selection gave each rollout, and how many it pushed neither up nor down."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.reading import Declined, Label, Measured, Quantity, Result
from lens.runs.price import needing
from lens.runs.record import Range
from lens.runs.review import Review, lacking
from lens.runs.scores.spread import spread

if TYPE_CHECKING:
    import duckdb

SLACK = 1e-5  # of a bound: single precision
TAU = 1e-6  # an advantage no larger pushes nothing: single precision's rounding of a group's mean
_STEPS = (("tenth", 0.1), ("", 1.0), ("tenfold", 10.0))


@instrument(
    "advantages",
    subjects="runs",
    title="Advantages",
    quantity="recorded advantages: range, signs within a tolerance, exact zeros, groups in which nothing differs",
    unit="advantage",
    needs="record.record",
    cost="one pass over the rollouts",
    version=3,
    order=40,
    declines="without recorded advantages, or where one is no finite number",
    source="identities of Shao et al. 2024: the scored rollouts of a group add to 0 under a group mean",
    price=needing("rollouts", "advantage"),
)
def advantages(review: Review) -> Result | Declined:
    """`low`, `high`, `zero` exactly; `up`, `down`, `still` k of n rollouts beyond and within τ = 1e-6, and the same
    at a tenth and ten times τ (`up.tenth`, `up.tenfold`, …); `dead-groups` k of n whose advantages are all within τ;
    `group-sum` the largest |sum| over a group's rollouts; `bound.ddof-1` and `bound.ddof-0` what |A| can't pass in the
    largest group when divided by its deviation, `excluded` what some group's advantages rule out by that.
    Table `spread`: the advantages that are not exactly 0, in bins."""
    record = review.record()
    if (missing := lacking(record, "rollouts", "advantage")) is not None:
        return missing
    parts = review.over_steps(_counts, kept=record.kept)
    rows, broken = (sum(one[name] for one in parts) for name in ("rows", "broken"))
    if broken:
        return Declined(
            "void",
            f"advantages that are no finite number: {broken} of {rows}",
            "find the step where they began",
            needs="finite advantages",
        )
    low, high = min(one["low"] for one in parts), max(one["high"] for one in parts)
    fields: dict[str, Quantity | Label | Declined] = {
        "high": Quantity(high, "advantage", "score", n=rows),
        "low": Quantity(low, "advantage", "score", n=rows),
        "zero": Quantity(sum(one["zero"] for one in parts), "rollouts", "count", of=rows),
    }
    for name, factor in _STEPS:
        dot = f".{name}" if name else ""
        for sign in ("up", "down", "still"):
            count = sum(one[f"{sign}{dot}"] for one in parts)
            fields[f"{sign}{dot}"] = Quantity(count, "rollouts", "count", of=rows, note=f"tolerance {TAU * factor:g}")
    groups = sum(one["groups"] for one in parts)
    dead = sum(one["dead"] for one in parts)
    fields["dead-groups"] = Quantity(dead, "groups", "count", of=groups, note="every advantage within tolerance")
    fields["group-sum"] = Quantity(max(one["sum"] for one in parts), "advantage", "score", n=groups)
    size = max(one["size"] for one in parts)
    fields["group-size"] = Quantity(size, "rollouts", "size", note="of the largest group")
    fields |= _bounds(size, [sum(one[name] for one in parts) for name in ("past-ddof-1", "past-group")])
    scope = f"{rows} recorded advantages of {review.run.name}; a sign says which way, not how far the policy went."
    return Result(Measured(fields, "high", scope), {"spread": spread(review, "nullif(advantage, 0)", low, high)})


def _bounds(size: int, past: list[int]) -> dict[str, Quantity | Label]:
    """What the sizes of advantages rule out without any score: n numbers less their mean, over their own deviation,
    reach (n - 1)/√n under ddof 1 and √(n - 1) under ddof 0. A smaller advantage decides nothing."""
    ddof_1, group = past
    excluded = "any scaling within groups" if group else "ddof 1 within groups" if ddof_1 else "nothing"
    return {
        "bound.ddof-1": Quantity((size - 1) / math.sqrt(size), "advantage", "score", note="in a group of that size"),
        "bound.ddof-0": Quantity(math.sqrt(size - 1), "advantage", "score", note="in a group of that size"),
        "excluded": Label(excluded),
    }


def _counts(database: duckdb.DuckDBPyConnection, _span: Range, kept: str) -> dict[str, Any]:
    """Over rollouts that were trained on, or have an advantage all the same."""
    told = ["count(*) AS rows", "count(*) FILTER (a IS NULL OR NOT isfinite(a)) AS broken"]
    told += ["coalesce(max(a), 0.0) AS high", "coalesce(min(a), 0.0) AS low", "count(*) FILTER (a = 0) AS zero"]
    for name, factor in _STEPS:
        tau = TAU * factor
        dot = f".{name}" if name else ""
        told += [f'count(*) FILTER (a > {tau!r}) AS "up{dot}"', f'count(*) FILTER (a < -{tau!r}) AS "down{dot}"']
    some = f'(SELECT advantage AS a, "group" AS g FROM rollouts WHERE {kept} OR advantage IS NOT NULL)'
    rows = _row(database, f"SELECT {', '.join(told)} FROM {some}")
    for dot in ("", ".tenth", ".tenfold"):
        rows[f"still{dot}"] = rows["rows"] - rows["broken"] - rows[f"up{dot}"] - rows[f"down{dot}"]
    by_group = f"SELECT fsum(a) AS s, max(abs(a)) AS most, count(*) AS n FROM {some} GROUP BY g"
    past = f"count(*) FILTER (n > 1 AND most > {{}} * (1 + {SLACK!r}) + {TAU!r})"  # one alone may keep its reward
    groups = _row(
        database,
        f"""SELECT count(*) AS groups, count(*) FILTER (most <= {TAU!r}) AS dead, coalesce(max(abs(s)), 0.0) AS sum,
                   coalesce(max(n), 1) AS size, {past.format("(n - 1) / sqrt(n)")} AS "past-ddof-1",
                   {past.format("sqrt(n - 1)")} AS "past-group" FROM ({by_group})""",
    )
    return rows | groups


def _row(database: duckdb.DuckDBPyConnection, statement: str) -> dict[str, Any]:
    found = database.execute(statement)
    names = [one[0] for one in found.description or ()]
    return dict(zip(names, found.fetchone() or (), strict=True))
