"""The record check: which rules turn the recorded scores into the recorded advantages. Everything rests on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lens.reading import Declined
from lens.runs.record import Range, Record
from lens.runs.review import Review, lacking
from lens.runs.selection.composition import Composition, composition
from lens.runs.selection.differences import differences
from lens.runs.selection.rules import Rule, candidates

if TYPE_CHECKING:
    import duckdb


SCREENED = 16_000  # rollouts that every rule is tried on; beyond, only those that fit there and the nearest other
SPANS = 4  # places in the run that these are taken from


@dataclass(frozen=True)
class Tried:
    """One rule: the largest |recorded - replayed|, and on how many rollouts that is beyond tolerance, of `compared`;
    `flips` have another sign than recorded, at each tolerance of `lens.runs.selection.differences.SIGNS`."""

    rule: Rule
    residual: float
    beyond: int
    compared: int
    flips: tuple[int, ...]

    @property
    def accepted(self) -> bool:
        return self.beyond == 0


@dataclass(frozen=True)
class Replay:
    """Every rule tried, those that fit first, then those tried on most; `compared` rollouts of groups in which scores
    differ.

    `spreads` are the standard deviations of a step's recorded advantages, by step.
    `roundoff` counts rollouts of groups with one score whose recorded advantage is beyond tolerance: the trainer's
    rounding, and what its optimizer saw.
    """

    tried: tuple[Tried, ...]
    composed: Composition
    compared: int
    abstained: int
    roundoff: int
    largest: float
    spreads: dict[int, float]

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
    facts = [one for some in review.over_steps(_facts, reward=composed.reward, kept=record.kept) for one in some]
    rows, scored, broken, unscored = (sum(column) for column in list(zip(*facts, strict=True))[1:5])
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
    largest, spreads = max(one[5] for one in facts), {one[0]: one[6] for one in facts}
    return Replay(told.ranked(), composed, told.compared, rows - scored, told.roundoff, largest, spreads)


@dataclass
class _Told:
    """What `differences` found, added up over ranges."""

    tried: dict[Rule, Tried]
    compared: int
    singles: int
    roundoff: int

    def ranked(self) -> tuple[Tried, ...]:
        """Best first. Where no group has one score alone, what a rule does with such a group makes no other rule."""
        found = [one for one in self.tried.values() if self.singles or one.rule.alone == "zero"]
        return tuple(sorted(found, key=lambda one: (not one.accepted, -one.compared, one.residual, str(one.rule))))


def _screened(review: Review, rules: list[Rule], composed: Composition, rows: int) -> _Told:
    """Every rule where the record is short; else all on a sample, and over the whole record those that fit there and
    the nearest that doesn't."""
    if rows <= SCREENED:
        return _told(review, rules, composed)
    sample = _told(review, rules, composed, _sample(review.record()))
    fit = [one.rule for one in sample.tried.values() if one.accepted]
    others = sorted((one for one in sample.tried.values() if not one.accepted), key=lambda one: one.residual)
    whole = _told(review, [*fit, *(one.rule for one in others[:1])], composed)
    whole.tried = sample.tried | whole.tried
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
    asked, rounded = [rule.plain for rule in rules], review.run.header.settings.rounded
    parts = review.over_steps(differences, spans, leaves=composed.leaves, rounded=rounded, rules=asked)
    compared = sum(part["compared"] for part in parts)
    tried = {
        rule: Tried(
            rule,
            max(part["residual"][at] for part in parts),
            sum(part["beyond"][at] for part in parts),
            compared,
            tuple(map(sum, zip(*(part["flips"][at] for part in parts), strict=True))),
        )
        for at, rule in enumerate(rules)
    }
    return _Told(tried, compared, sum(part["singles"] for part in parts), sum(part["roundoff"] for part in parts))


def _facts(database: duckdb.DuckDBPyConnection, _span: Range, reward: str, kept: str) -> list[tuple[Any, ...]]:
    """By step: rollouts, scored ones, advantages and scores that are no number, the largest |A|, the deviation of A.
    What wasn't trained on needs no advantage."""
    base = f"SELECT step, advantage AS a, CAST({reward} AS DOUBLE) AS r, {kept} AS kept FROM rollouts"
    return database.execute(
        f"""SELECT step, count(*), count(r), count(*) FILTER ((a IS NULL AND kept) OR NOT isfinite(a)),
                   count(*) FILTER (r IS NOT NULL AND NOT isfinite(r)), coalesce(max(abs(a)) FILTER (isfinite(a)), 0.0),
                   coalesce(stddev_pop(a) FILTER (isfinite(a)), 0.0) FROM ({base}) GROUP BY step ORDER BY step"""
    ).fetchall()
