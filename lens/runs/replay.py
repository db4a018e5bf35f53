"""The record check: which rules turn the recorded scores into the recorded advantages. Everything rests on it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.reading import Declined
from lens.runs.composition import Composition, composition, total
from lens.runs.record import Range, Record
from lens.runs.review import Review, lacking
from lens.runs.rules import Rule, Scored, candidates, frame

if TYPE_CHECKING:
    import duckdb

SINGLE = 2.0**-24  # half a unit of the last place of single precision, in which trainers compute
TOLERANCE = 1e-5


SCREENED = 20_000  # rollouts that every rule is tried on; beyond, only those that fit there and the nearest other
SPANS = 8  # places in the run that these are taken from
AT_ONCE = 8  # rules of one statement


@dataclass(frozen=True)
class Tried:
    """One rule: the largest |recorded - replayed|, and on how many rollouts that is beyond tolerance, of `compared`."""

    rule: Rule
    residual: float
    beyond: int
    compared: int = 0

    @property
    def accepted(self) -> bool:
        return self.beyond == 0


@dataclass(frozen=True)
class Replay:
    """Every rule tried, those that fit first, then those tried on most; `compared` rollouts of groups in which scores
    differ.

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
        """The best of the rules that don't fit, of those tried on most."""
        return next((one for one in self.tried if not one.accepted), None)


def replay(review: Review) -> Replay | Declined:
    """Every rule replayed in bounded memory: over the whole record, or, of a long one, over a sample first. Declined
    without scores or advantages, or where either holds what is no number."""
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
    found = review.over_steps(_facts, reward=composed.reward, kept=record.kept)
    facts = [_add(some) for some in zip(*found, strict=True)]
    rows, scored, broken, unscored, largest = facts
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
    rules = candidates(abstains=scored < rows, leaves=len(composed.weights), epsilon=record.header.settings.epsilon)
    told = _screened(review, rules, composed, rows)
    return Replay(told.ranked(), composed, told.compared, rows - scored, told.roundoff, largest)


def _add(values: tuple[Any, ...]) -> Any:
    """Counts add, the largest stays the largest."""
    return max(values) if isinstance(values[0], float) else sum(values)


@dataclass
class _Told:
    """What `_compare` found, added up over ranges and statements."""

    residual: dict[Rule, float]
    beyond: dict[Rule, int]
    on: dict[Rule, int]
    compared: int
    singles: int
    roundoff: int

    def ranked(self) -> tuple[Tried, ...]:
        """Best first. Where no group has one score alone, what a rule does with such a group makes no other rule."""
        found = [
            Tried(rule, self.residual[rule], self.beyond[rule], self.on[rule])
            for rule in self.residual
            if self.singles or rule.alone == "zero"
        ]
        key = lambda one: (not one.accepted, -one.compared, one.residual, str(one.rule))  # noqa: E731
        return tuple(sorted(found, key=key))


def _screened(review: Review, rules: list[Rule], composed: Composition, rows: int) -> _Told:
    """Every rule where the record is short; else all on a sample, and over the whole record those that fit there and
    the nearest that doesn't."""
    if rows <= SCREENED:
        return _told(review, rules, composed)
    sample = _told(review, rules, composed, _sample(review.record()))
    fit = [rule for rule in rules if not sample.beyond[rule]]
    others = [rule for rule in rules if sample.beyond[rule]]
    whole = _told(review, [*fit, *sorted(others, key=lambda rule: (sample.residual[rule], str(rule)))[:1]], composed)
    whole.residual = sample.residual | whole.residual
    whole.beyond = sample.beyond | whole.beyond
    whole.on = sample.on | whole.on
    return whole


def _sample(record: Record) -> list[Range]:
    """Whole steps at `SPANS` places of the run, about `SCREENED` rollouts."""
    steps = record.sql("SELECT step, count(*) FROM rollouts GROUP BY step ORDER BY step")
    found: list[Range] = []
    at = 0
    for number in range(SPANS):
        at = max(at, number * len(steps) // SPANS)
        first, rows = at, 0
        while at < len(steps) and rows < SCREENED // SPANS:
            rows += steps[at][1]
            at += 1
        if rows:
            found.append(Range(steps[first][0], steps[at - 1][0], rows))
    return found


def _told(review: Review, rules: list[Rule], composed: Composition, spans: Sequence[Range] | None = None) -> _Told:
    rounded = review.run.header.settings.rounded
    found = _Told({}, {}, {}, 0, 0, 0)
    for at in range(0, len(rules), AT_ONCE):
        some = rules[at : at + AT_ONCE]
        asked = [rule.plain for rule in some]
        parts = review.over_steps(_compare, spans, leaves=composed.leaves, rounded=rounded, rules=asked)
        found.compared, found.singles, found.roundoff = (
            sum(part[name] for part in parts) for name in ("compared", "singles", "roundoff")
        )
        for number, rule in enumerate(some):
            found.residual[rule] = max(part["residual"][number] for part in parts)
            found.beyond[rule] = sum(part["beyond"][number] for part in parts)
            found.on[rule] = found.compared
    return found


def _facts(database: duckdb.DuckDBPyConnection, _span: Range, reward: str, kept: str) -> list[Any]:
    """Rollouts, scored ones, advantages and scores that are no number, the largest |A|. What wasn't trained on needs no
    advantage."""
    counts = database.execute(
        f"""SELECT count(*), count(r), count(*) FILTER ((a IS NULL AND kept) OR NOT isfinite(a)),
                   count(*) FILTER (r IS NOT NULL AND NOT isfinite(r)), coalesce(max(abs(a)) FILTER (isfinite(a)), 0.0)
            FROM (SELECT advantage AS a, CAST({reward} AS DOUBLE) AS r, {kept} AS kept FROM rollouts)"""
    ).fetchone()
    assert counts is not None
    return [*counts[:-1], float(counts[-1])]


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
    apart, told = [], []
    for at, rule in enumerate(asked):
        apart.append(f"abs(a - {rule.advantage()}) AS d{at}, {tolerance(rule, rounded)} AS t{at}")
        counts = f"NOT alike OR d{at} > {_rounding(rule)}"
        told.append(f"coalesce(max(d{at}) FILTER ({counts}), 0)")
        told.append(f"count(*) FILTER (d{at} > t{at} AND ({counts}))")
    each = joined.select(f"a, r, n, low, n > 1 AND low = high AS alike, {', '.join(apart)}")
    row = database.execute(
        f"SELECT count(*) FILTER (NOT alike), count(*) FILTER (n = 1 AND r IS NOT NULL), "
        f"count(*) FILTER (alike AND abs(a) > {TOLERANCE!r}), {', '.join(told)} FROM ({each})"
    ).fetchone()
    assert row is not None
    compared, singles, roundoff, *pairs = row
    return {
        "compared": compared,
        "singles": singles,
        "roundoff": roundoff,
        "residual": [float(one) if math.isfinite(one) else math.inf for one in pairs[::2]],
        "beyond": pairs[1::2],
    }


def tolerance(rule: Rule, rounded: float) -> str:
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
