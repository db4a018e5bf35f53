"""The advantages of the same rollouts under another reward, by the rule that replays the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.reading import Declined
from lens.runs.instruments.counterfactual import extremes, usual
from lens.runs.review import Review
from lens.runs.selection.rules import Rule, Scored, frame

if TYPE_CHECKING:
    import duckdb

    from lens.runs.record import Range

IDENTITY = "identity"  # the reward as it was: its cosine is 1 where the rule is the run's
Plan = dict[str, Any]  # plain types, so that it reaches another process: rules, leaves, edits


def planned(review: Review) -> Plan | Declined:
    """The edits a person asked for, or each leaf dropped; declined where no rule replays the advantages.

    A gate has no place in a rule that sums leaves after each is normalised, so such edits are left out.
    """
    from lens.runs.selection.composition import composition
    from lens.runs.selection.edits import checked
    from lens.runs.selection.replay import accepted

    rules = accepted(review)
    if isinstance(rules, Declined):
        return rules
    composed = composition(review)
    if isinstance(composed, Declined):
        return composed
    kept = extremes(rules)
    edits = checked(review.edits or usual(review, composed), composed, review.run)
    summed = any(rule.family == "sum" for rule in kept)
    scored = {
        edit.name: list(edit.scored(composed, f"_e{at}"))
        for at, edit in enumerate(edits)
        if not (summed and edit.whole)
    }
    own = [composed.reward, composed.leaves, ""]
    return {"rules": [rule.plain for rule in kept], "own": own, "edits": scored}


def prepare(database: duckdb.DuckDBPyConnection, plan: Plan) -> None:
    """A table `edited` of the range's rollouts: row, and an advantage a rule and edit."""
    own, edits = Scored(*plan["own"]), {name: Scored(*one) for name, one in plan["edits"].items()}
    tables = []
    for number, told in enumerate(plan["rules"]):
        rule = Rule(*told)
        columns = [f'{rule.advantage()} AS "{number}.{IDENTITY}"']
        columns += [f'{rule.advantage(one.of)} AS "{number}.{name}"' for name, one in edits.items()]
        tables.append(frame([rule], [own, *edits.values()]).select(f'"row", {", ".join(columns)}'))
    joined = " JOIN ".join(f"({one}) AS t{at}" + (' USING ("row")' if at else "") for at, one in enumerate(tables))
    database.execute(f"CREATE OR REPLACE TEMP TABLE edited AS SELECT * FROM {joined}")


def edited(database: duckdb.DuckDBPyConnection, rows: list[int]) -> dict[str, list[float | None]]:
    """By rule and edit, the advantages of these rollouts in this order; None for one that isn't in the range."""
    found = database.execute(
        'SELECT * FROM edited WHERE "row" BETWEEN ? AND ?', [min(rows, default=0), max(rows, default=0)]
    )
    names = [column[0] for column in found.description or []]
    by_row = {one[names.index("row")]: one for one in found.fetchall()}
    return {
        name: [by_row[row][at] if row in by_row else None for row in rows]
        for at, name in enumerate(names)
        if name != "row"
    }


def of_rows(
    database: duckdb.DuckDBPyConnection, _span: Range, *, plan: Plan, rows: list[list[int]]
) -> list[dict[str, list[float | None]]]:
    """The job over ranges for steps whose gradients were computed elsewhere: `edited` of each list of rows."""
    prepare(database, plan)
    return [edited(database, some) for some in rows]
