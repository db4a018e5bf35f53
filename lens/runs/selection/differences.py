"""How far the recorded advantages of a range of steps lie from those of each rule, and what of that is rounding."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypedDict

from lens.runs.record import Range
from lens.runs.selection.composition import total
from lens.runs.selection.rules import Rule, Scored, frame

if TYPE_CHECKING:
    import duckdb

SINGLE = 2.0**-24  # half a unit of the last place of single precision, in which trainers compute
TOLERANCE = 1e-5
TAU = 1e-6  # an advantage no larger pushes nothing: single precision's rounding of a group's mean
SIGNS = {"flips": TAU, "flips.tenth": TAU / 10, "flips.tenfold": TAU * 10}  # what a sign is counted at
AT_ONCE = 8  # rules of one statement: planning grows faster than their number


class Differences(TypedDict):
    """`compared` rollouts of groups in which scores differ; `singles` of groups with one score; `roundoff` of groups
    whose scores are all one and whose recorded advantage is beyond tolerance. By rule: the largest |recorded -
    replayed|, the rollouts beyond tolerance, and those whose sign differs beyond each of `SIGNS`."""

    compared: int
    singles: int
    roundoff: int
    residual: list[float]
    beyond: list[int]
    flips: list[list[int]]


def differences(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    leaves: dict[str, tuple[str, float]],
    rounded: float,
    rules: list[list[Any]],
) -> Differences:
    """The job over ranges: each rule where scores in the group differ, or where it is off by more than rounding."""
    asked = [Rule(*one) for one in rules]
    found = Differences(compared=0, singles=0, roundoff=0, residual=[], beyond=[], flips=[])
    for at in range(0, len(asked), AT_ONCE):
        row = database.execute(_statement(asked[at : at + AT_ONCE], Scored(total(leaves), leaves), rounded)).fetchone()
        assert row is not None
        found["compared"], found["singles"], found["roundoff"] = row[:3]
        for start in range(3, len(row), 2 + len(SIGNS)):
            worst, beyond, *flips = row[start : start + 2 + len(SIGNS)]
            found["residual"].append(float(worst) if math.isfinite(worst) else math.inf)
            found["beyond"].append(beyond)
            found["flips"].append(flips)
    return found


def _statement(rules: Sequence[Rule], reward: Scored, rounded: float) -> str:
    apart, told = [], []
    for at, rule in enumerate(rules):
        replayed = rule.advantage()
        apart.append(f"abs(a - {replayed}) AS d{at}, {_tolerance(rule, rounded)} AS t{at}")
        apart.append(f"{crossed('a', replayed)} AS x{at}")
        counts = f"NOT alike OR d{at} > {_rounding(rule)}"
        told.append(f"coalesce(max(d{at}) FILTER ({counts}), 0)")
        told.append(f"count(*) FILTER (d{at} > t{at} AND ({counts}))")
        told += [f"count(*) FILTER (x{at} > {tau!r})" for tau in SIGNS.values()]
    joined = frame(rules, [reward], extra="advantage AS a")
    each = joined.select(f"a, r, n, low, n > 1 AND low = high AS alike, {', '.join(apart)}")
    return (
        f"SELECT count(*) FILTER (NOT alike), count(*) FILTER (n = 1 AND r IS NOT NULL), "
        f"count(*) FILTER (alike AND abs(a) > {TOLERANCE!r}), {', '.join(told)} FROM ({each})"
    )


def crossed(one: str, other: str) -> str:
    """SQL of how far both lie from 0 where their signs differ; 0 where they don't."""
    return f"CASE WHEN {one} * {other} < 0 THEN least(abs({one}), abs({other})) ELSE 0 END"


def _tolerance(rule: Rule, rounded: float) -> str:
    """SQL of what |recorded - replayed| may be: single precision of the advantage and of the scores behind it, and
    what the writer rounded away (u of scores and advantages both)."""
    size, over = "greatest(abs(low), abs(high), 0.0)", f"least({rule.over()}, 1e12)"
    allowed = f"{TOLERANCE!r} * greatest(1.0, abs(a)) + {4 * SINGLE!r} * {size} * {over}"
    if rounded:
        allowed += f" + {2 * rounded!r} * (1 + abs(a)) * {over} + {rounded!r}"
    return allowed


def _rounding(rule: Rule) -> str:
    """SQL of the most that rounding can make of a group with one score: its mean is off by a few units of the last
    place, and what it is divided by is eps alone."""
    below = rule.epsilon if rule.scaled and rule.epsilon else 1.0
    return f"(32 * {SINGLE!r} * greatest(abs(low), 1e-30) / {below!r})"
