"""Whom another reward would have pushed: advantages before and after an edit, counted by step in one statement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.runs.record import Range
from lens.runs.review import Review
from lens.runs.selection.composition import Composition, total
from lens.runs.selection.differences import SIGNS, TAU, crossed
from lens.runs.selection.rules import Frame, Rule, Scored, frame

if TYPE_CHECKING:
    import duckdb

    from lens.runs.selection.edits import Edit

COUNTS = (*SIGNS, "to-zero", "from-zero", "moved", "degenerate")
AT_ONCE = 4  # edits of one statement: each is as wide again as the record


class Counted(NamedTuple):
    """By step, in order: scored rollouts, groups in which scores differ, and, by the edit's text, `COUNTS`."""

    steps: list[int]
    rows: list[int]
    groups: list[int]
    edits: dict[str, list[list[int]]]


def counted(
    review: Review, rule: Rule, composed: Composition, edits: Sequence[Edit], spreads: dict[int, float]
) -> Counted:
    """Every edit under one rule, over the whole record; `spreads` are those of a step's advantages, by step."""
    found = Counted([], [], [], {})
    for at in range(0, max(1, len(edits)), AT_ONCE):
        some = edits[at : at + AT_ONCE]
        rewards = [list(edit.scored(composed, f"_{number}")) for number, edit in enumerate(some)]
        told = review.over_steps(
            _count, rule=rule.plain, leaves=composed.leaves, rewards=rewards, spreads=list(spreads.items())
        )
        steps, rows, groups, *counts = zip(*(row for part in told for row in part), strict=True)
        found = Counted(list(steps), list(rows), list(groups), found.edits)
        for number, edit in enumerate(some):
            own = counts[number * len(COUNTS) : (number + 1) * len(COUNTS)]
            found.edits[edit.text] = [list(one) for one in zip(*own, strict=True)]
    return found


def _count(
    database: duckdb.DuckDBPyConnection,
    span: Range,
    rule: list[Any],
    leaves: dict[str, tuple[str, float]],
    rewards: list[list[Any]],
    spreads: list[tuple[int, float]],
) -> list[tuple[int, ...]]:
    by, after = Rule(*rule), [Scored(*one) for one in rewards]
    statement = _statement(by, frame([by], [Scored(total(leaves), leaves), *after], extra=""), after)
    own = [one for one in spreads if span.first <= one[0] <= span.last]
    steps = "CREATE OR REPLACE TEMP TABLE of_step AS SELECT unnest(?::BIGINT[]) AS step, unnest(?::DOUBLE[]) AS spread"
    database.execute(steps, [[step for step, _ in own], [spread for _, spread in own]])
    return database.execute(statement).fetchall()


def _statement(by: Rule, joined: Frame, after: Sequence[Scored]) -> str:
    """A row a step: the step, its scored rollouts, its groups in which scores differ, `COUNTS` of each reward.

    Reads `of_step`, a table of steps and spreads. Groups are counted where each is one row.
    """
    every = [one.of for one in after]
    rollouts, groups = {"rows": "count(r)"}, {"groups": "count(*) FILTER (high > low)"}
    advantages, apart = [f"{by.advantage()} AS a"], []
    for of in every:
        advantages.append(f"{by.advantage(of)} AS a{of}")
        apart.append(f", {crossed('a', f'a{of}')} AS x{of}")
        rollouts |= _counts(of)
        groups[f"degenerate{of}"] = f"count(*) FILTER (high > low AND (high{of} = low{of} OR high{of} IS NULL))"
    parts = [
        *joined.parts,
        f"pushed AS (SELECT step, r, spread, {', '.join(advantages)} FROM {joined.joined} JOIN of_step USING (step))",
        f"by_rollout AS (SELECT step, {_named(rollouts)} FROM (SELECT *{''.join(apart)} FROM pushed) GROUP BY step)",
        f"by_group AS (SELECT first AS step, {_named(groups)} FROM of_group GROUP BY first)",
    ]
    names = ["rows", "groups", *(f"{name}{of}" for of in every for name in COUNTS)]
    told = ", ".join(f'coalesce("{name}", 0)' for name in names)
    return f"WITH {', '.join(parts)} SELECT step, {told} FROM by_rollout LEFT JOIN by_group USING (step) ORDER BY step"


def _named(columns: dict[str, str]) -> str:
    return ", ".join(f'{value} AS "{name}"' for name, value in columns.items())


def _counts(of: str) -> dict[str, str]:
    """SQL of `COUNTS` but the groups, by column."""
    return {f"{name}{of}": f"count(*) FILTER (x{of} > {tau!r})" for name, tau in SIGNS.items()} | {
        f"to-zero{of}": f"count(*) FILTER (abs(a) > {TAU!r} AND abs(a{of}) <= {TAU!r})",
        f"from-zero{of}": f"count(*) FILTER (abs(a) <= {TAU!r} AND abs(a{of}) > {TAU!r} AND r IS NOT NULL)",
        f"moved{of}": f"count(*) FILTER (abs(a{of} - a) > spread AND spread > 0)",
    }
