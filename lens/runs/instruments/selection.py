"""Selection: a few groups in full, each rollout by how far it stood from its group and what it was given for that."""

from __future__ import annotations

from lens.instrument import instrument
from lens.reading import Columns, Declined, Label, Measured, Quantity, Result
from lens.runs.price import needing
from lens.runs.review import Review, lacking
from lens.runs.selection.composition import composition

SHOWN = 16  # groups


@instrument(
    "selection",
    subjects="runs",
    title="Selection",
    quantity="rollouts of some groups, by distance of their reward from the group's mean and by recorded advantage",
    unit="advantage",
    needs="record.record",
    cost="one pass over the rollouts",
    version=1,
    order=45,
    declines="without recorded advantages or scores",
    source="the record itself; groups are taken at an even stride through the run",
    price=needing("rollouts", "advantage"),
)
def selection(review: Review) -> Result | Declined:
    """`groups` k of n shown, `rollouts` in them, `abstained` among these; `agree` k of n scored rollouts of the run
    whose advantage has the sign of their distance from the group's mean. Table `rays`: step, group (from 0), reward
    (null without a score), offset from the group's mean, advantage."""
    record = review.record()
    if (missing := lacking(record, "rollouts", "advantage")) is not None:
        return missing
    composed = composition(review)
    if isinstance(composed, Declined):
        return composed
    groups = record.counts["groups"]
    shown = _rays(review, composed.reward, groups)
    signs = review.over_steps(_agree, reward=composed.reward)
    agree, scored = (sum(one[at] for one in signs) for at in (0, 1))
    fields: dict[str, Quantity | Label | Declined] = {
        "groups": Quantity(len(set(shown["group"])), "groups", "count", of=groups, note="an even stride"),
        "rollouts": Quantity(len(shown["group"]), "rollouts", "size"),
        "abstained": Quantity(sum(one is None for one in shown["reward"]), "rollouts", "size"),
        "agree": Quantity(agree, "rollouts", "count", of=scored)
        if scored
        else Declined("assumption_violated", "in no group do rewards differ", "record a run in which scores differ"),
    }
    scope = f"Groups of {record.name} at an even stride; a ray says what was asked of the update, not what it did."
    return Result(Measured(fields, "groups", scope), {"rays": shown})


def _rays(review: Review, reward: str, groups: int) -> Columns:
    stride = max(1, groups // SHOWN)
    found = review.run.sql(
        f"""WITH numbered AS (SELECT "group" AS g, dense_rank() OVER (ORDER BY first) - 1 AS place FROM
                (SELECT "group", min(row) AS first FROM rollouts GROUP BY "group")),
            chosen AS (SELECT step, row, place, advantage AS a, CAST({reward} AS DOUBLE) AS r
                     FROM rollouts JOIN numbered ON "group" = g WHERE place % {stride} = 0 AND place < {stride * SHOWN})
            SELECT step, place, r, r - avg(r) OVER (PARTITION BY place), a FROM chosen ORDER BY place, row"""
    )
    names = ("step", "group", "reward", "offset", "advantage")
    return {name: [row[at] for row in found] for at, name in enumerate(names)}


def _agree(database: object, _span: object, reward: str) -> list[int]:
    """Scored rollouts off their group's mean whose advantage has that sign, and all of them."""
    row = database.execute(  # type: ignore[attr-defined]
        f"""SELECT count(*) FILTER (sign(a) = sign(r - mu)), count(*) FROM
            (SELECT advantage AS a, {reward} AS r, avg({reward}) OVER (PARTITION BY "group") AS mu,
                    max({reward}) OVER (PARTITION BY "group") - min({reward}) OVER (PARTITION BY "group") AS wide
             FROM rollouts) WHERE r IS NOT NULL AND wide > 0 AND abs(r - mu) > 1e-9"""
    ).fetchone()
    return list(row)
