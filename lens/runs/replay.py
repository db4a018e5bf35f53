"""The record check: which rules turn the recorded scores into the recorded advantages. Everything rests on it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.reading import Declined
from lens.runs.composition import Composition, composition, total
from lens.runs.record import Range
from lens.runs.review import Review, lacking
from lens.runs.rules import Rule, Scored, candidates, frame

if TYPE_CHECKING:
    import duckdb

SINGLE = 2.0**-24  # half a unit of the last place of single precision, in which trainers compute
TOLERANCE = 1e-5


@dataclass(frozen=True)
class Tried:
    """One rule: the largest |recorded - replayed|, and on how many rollouts that is beyond tolerance."""

    rule: Rule
    residual: float
    beyond: int

    @property
    def accepted(self) -> bool:
        return self.beyond == 0


@dataclass(frozen=True)
class Replay:
    """Every rule tried, best first; `compared` rollouts of groups in which scores differ.

    `roundoff` counts rollouts of groups with one score whose recorded advantage is beyond tolerance: the trainer's
    rounding, and what its optimizer saw.
    """

    tried: tuple[Tried, ...]
    composed: Composition
    compared: int
    abstained: int
    roundoff: int
    largest: float

    @property
    def accepted(self) -> tuple[Rule, ...]:
        return tuple(one.rule for one in self.tried if one.accepted)

    @property
    def nearest(self) -> Tried | None:
        """The best of the rules that don't fit."""
        return next((one for one in self.tried if not one.accepted), None)


def replay(review: Review) -> Replay | Declined:
    """Every rule replayed over the whole record, in bounded memory. Declined without scores or advantages, or where
    either holds what is no number."""
    return review.remember("replay", lambda: _replayed(review))


def accepted(review: Review) -> tuple[Rule, ...] | Declined:
    """The rules that fit. A reading on which they would differ declines; see `agree`."""
    found = replay(review)
    if isinstance(found, Declined):
        return found
    if not found.accepted:
        best = found.tried[0]
        return Declined(
            "assumption_violated",
            f"no rule reproduces the advantages; nearest is {best.rule}, off by up to {best.residual:.3g}",
            "give the trainer's configuration with --config, or record scores and advantages of the same version",
            needs="advantages that replay",
        )
    return found.accepted


def _replayed(review: Review) -> Replay | Declined:
    record = review.record()
    if (missing := lacking(record, "rollouts", "advantage")) is not None:
        return missing
    composed = composition(review)
    if isinstance(composed, Declined):
        return composed
    facts = [_add(some) for some in zip(*review.over_steps(_facts, reward=composed.reward), strict=True)]
    rows, scored, singles, broken, unscored, largest = facts
    if broken:
        return Declined(
            "void",
            f"advantages that are no finite number: {broken} of {rows}",
            "find the step where they began; a mean or deviation that isn't NaN-aware is the usual cause",
            needs="finite advantages",
        )
    if unscored:
        return Declined(
            "void",
            f"scores that are no finite number: {unscored} of {rows}",
            "an abstention is written null; NaN or an infinity says that the grader broke",
            needs="finite scores",
        )
    if not scored:
        return Declined("record_incomplete", "every score in the record is empty", "record the graders' scores")
    rules = candidates(abstains=scored < rows, singles=bool(singles), leaves=len(composed.weights))
    tried, compared, roundoff = _tried(review, rules, composed)
    return Replay(tried, composed, compared, rows - scored, roundoff, largest)


def _add(values: tuple[Any, ...]) -> Any:
    """Counts add, the largest stays the largest."""
    return max(values) if isinstance(values[0], float) else sum(values)


def _tried(review: Review, rules: list[Rule], composed: Composition) -> tuple[tuple[Tried, ...], int, int]:
    options = {"leaves": composed.leaves, "rounded": review.run.header.settings.rounded}
    asked = [rule.plain for rule in rules]
    found = review.over_steps(_compare, rules=asked, **options)
    tried = [
        Tried(rule, max(part["residual"][at] for part in found), sum(part["beyond"][at] for part in found))
        for at, rule in enumerate(rules)
    ]
    best = sorted(tried, key=lambda one: (not one.accepted, one.residual, str(one.rule)))
    return tuple(best), sum(part["compared"] for part in found), sum(part["roundoff"] for part in found)


def _facts(database: duckdb.DuckDBPyConnection, _span: Range, reward: str) -> list[Any]:
    """Rollouts, scored ones, groups of one score, advantages and scores that are no number, the largest |A|."""
    counts = database.execute(
        f"""SELECT count(*), count(r), count(*) FILTER (a IS NULL OR NOT isfinite(a)),
                   count(*) FILTER (r IS NOT NULL AND NOT isfinite(r)), coalesce(max(abs(a)) FILTER (isfinite(a)), 0.0)
            FROM (SELECT advantage AS a, CAST({reward} AS DOUBLE) AS r FROM rollouts)"""
    ).fetchone()
    singles = database.execute(
        f'SELECT count(*) FROM (SELECT 1 FROM (SELECT "group" AS g, {reward} AS r FROM rollouts) GROUP BY g '
        "HAVING count(r) = 1)"
    ).fetchone()
    assert counts is not None
    assert singles is not None
    rows, scored, broken, unscored, largest = counts
    return [rows, scored, singles[0], broken, unscored, float(largest)]


def _compare(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    leaves: dict[str, tuple[str, float]],
    rounded: float,
    rules: list[list[Any]],
) -> dict[str, Any]:
    """For each rule its worst difference and the rollouts beyond tolerance, where scores in the group differ or the
    difference is more than rounding makes."""
    asked = [Rule(*one) for one in rules]
    joined = frame(asked, [Scored(total(leaves), leaves)], extra="advantage AS a")
    told = ["count(*) FILTER (NOT alike)"]
    for rule in asked:
        apart, allowed = f"abs(a - ({rule.advantage()}))", tolerance(rule, rounded)
        counts = f"(NOT alike OR {apart} > {_rounding(rule)})"
        told.append(f"coalesce(max({apart}) FILTER {counts.replace('(', '(WHERE ', 1)}, 0)")
        told.append(f"count(*) FILTER ({apart} > {allowed} AND {counts})")
    told.append(f"count(*) FILTER (alike AND abs(a) > {TOLERANCE!r})")
    spread = "(n > 1 AND low = high)"
    row = database.execute(f"SELECT {', '.join(told)} FROM (SELECT *, {spread} AS alike FROM ({joined}))").fetchone()
    assert row is not None
    compared, *pairs, roundoff = row
    return {
        "compared": compared,
        "residual": [float(one) if math.isfinite(one) else math.inf for one in pairs[::2]],
        "beyond": pairs[1::2],
        "roundoff": roundoff,
    }


def tolerance(rule: Rule, rounded: float) -> str:
    """SQL of what |recorded - replayed| may be: single precision of the advantage and of the scores behind it, and
    what the writer rounded away (u of scores and advantages both)."""
    size = "greatest(abs(low), abs(high), 0.0)"
    allowed = f"({TOLERANCE!r} * greatest(1.0, abs(a)) + {4 * SINGLE!r} * {size} / greatest({rule.scale()}, 1e-12))"
    if rounded:
        allowed += f" + {2 * rounded!r} * (1 + abs(a)) / greatest({rule.scale()}, 1e-12) + {rounded!r}"
    return allowed


def _rounding(rule: Rule) -> str:
    """SQL of the most that rounding can make of a group with one score: its mean is off by a few units of the last
    place, and what it is divided by is eps alone."""
    below = rule.epsilon if rule.scaled and rule.epsilon else 1.0
    return f"(32 * {SINGLE!r} * greatest(abs(low), 1e-30) / {below!r})"
