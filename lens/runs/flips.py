"""Whom another reward would have pushed: advantages before and after an edit, counted by step in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.runs.composition import Composition, total
from lens.runs.record import Range
from lens.runs.review import Review
from lens.runs.rules import Frame, Rule, Scored, frame

if TYPE_CHECKING:
    import duckdb

    from lens.runs.edits import Edit

TAU = 1e-6
TOLERANCES = {"flips": TAU, "flips.tenth": TAU / 10, "flips.tenfold": TAU * 10}
COUNTS = (*TOLERANCES, "to-zero", "from-zero", "moved", "degenerate")
ALL = ("rows", "groups", *TOLERANCES)  # of the control: scored rollouts, groups in which scores differ, its flips
AT_ONCE = 4  # edits of one statement: each is as wide again as the record


class Counted(NamedTuple):
    """By step, in order: `control` holds `ALL`, of the replayed advantages against the recorded; `edits`, by their
    text, `COUNTS` of the edited against the replayed."""

    steps: list[int]
    control: list[list[int]]
    edits: dict[str, list[list[int]]]


def counted(review: Review, rule: Rule, composed: Composition, edits: Sequence[Edit]) -> Counted:
    """Every edit under one rule, over the whole record."""
    found = Counted([], [], {})
    for at in range(0, max(1, len(edits)), AT_ONCE):
        some = edits[at : at + AT_ONCE]
        rewards = [list(edit.scored(composed, f"_{number}")) for number, edit in enumerate(some)]
        told = review.over_steps(_count, rule=rule.plain, leaves=composed.leaves, rewards=rewards)
        rows = [row for part in told for row in part]
        if at == 0:
            found.steps.extend(row[0] for row in rows)
            found.control.extend(row[1 : 1 + len(ALL)] for row in rows)
        for number, edit in enumerate(some):
            start = 1 + len(ALL) + number * len(COUNTS)
            found.edits[edit.text] = [row[start : start + len(COUNTS)] for row in rows]
    return found


def _count(
    database: duckdb.DuckDBPyConnection,
    _span: Range,
    rule: list[Any],
    leaves: dict[str, tuple[str, float]],
    rewards: list[list[Any]],
) -> list[list[int]]:
    by, after = Rule(*rule), [Scored(*one) for one in rewards]
    joined = frame([by], [Scored(total(leaves), leaves), *after], extra="advantage AS recorded")
    return [[int(one) for one in row] for row in database.execute(_statement(by, joined, after)).fetchall()]


def _statement(by: Rule, joined: Frame, after: Sequence[Scored]) -> str:
    """A row a step: the step, `ALL`, and `COUNTS` of each reward. Groups are counted where each is one row."""
    every = [one.of for one in after]
    rollouts, groups = {"rows": "count(r)", **_flips("")}, {"groups": "count(*) FILTER (high > low)"}
    advantages, crossed = [f"{by.advantage()} AS a"], [f"{_crossed('recorded', 'a')} AS x"]
    for of in every:
        advantages.append(f"{by.advantage(of)} AS a{of}")
        crossed.append(f"{_crossed('a', f'a{of}')} AS x{of}")
        rollouts |= _flips(of) | _moves(of)
        groups[f"degenerate{of}"] = f"count(*) FILTER (high > low AND (high{of} = low{of} OR high{of} IS NULL))"
    parts = [
        *joined.parts,
        "of_step AS (SELECT step, stddev_pop(recorded) AS spread FROM base GROUP BY step)",
        f"pushed AS (SELECT step, r, spread, recorded, {', '.join(advantages)} "
        f"FROM {joined.joined} JOIN of_step USING (step))",
        f"by_rollout AS (SELECT step, {_named(rollouts)} FROM (SELECT *, {', '.join(crossed)} FROM pushed) "
        "GROUP BY step)",
        f"by_group AS (SELECT first AS step, {_named(groups)} FROM of_group GROUP BY first)",
    ]
    names = [*ALL, *(f"{name}{of}" for of in every for name in COUNTS)]
    told = ", ".join(f'coalesce("{name}", 0)' for name in names)
    return f"WITH {', '.join(parts)} SELECT step, {told} FROM by_rollout LEFT JOIN by_group USING (step) ORDER BY step"


def _named(columns: dict[str, str]) -> str:
    return ", ".join(f'{value} AS "{name}"' for name, value in columns.items())


def _crossed(one: str, other: str) -> str:
    """SQL of how far both lie from 0 where their signs differ; 0 where they don't."""
    return f"CASE WHEN {one} * {other} < 0 THEN least(abs({one}), abs({other})) ELSE 0 END"


def _flips(of: str) -> dict[str, str]:
    return {f"{name}{of}": f"count(*) FILTER (x{of} > {tau!r})" for name, tau in TOLERANCES.items()}


def _moves(of: str) -> dict[str, str]:
    return {
        f"to-zero{of}": f"count(*) FILTER (abs(a) > {TAU!r} AND abs(a{of}) <= {TAU!r})",
        f"from-zero{of}": f"count(*) FILTER (abs(a) <= {TAU!r} AND abs(a{of}) > {TAU!r} AND r IS NOT NULL)",
        f"moved{of}": f"count(*) FILTER (abs(a{of} - a) > spread AND spread > 0)",
    }
