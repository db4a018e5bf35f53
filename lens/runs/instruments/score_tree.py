"""Score tree: what the reward is the sum of, and which leaf decides inside a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lens.instrument import instrument
from lens.names import kebab
from lens.reading import Columns, Declined, Interval, Label, Measured, Quantity, Result
from lens.runs.columns import LEAF
from lens.runs.price import needing
from lens.runs.record import Range
from lens.runs.review import Review
from lens.runs.scores.spread import spread
from lens.runs.selection.composition import Composition, composition

if TYPE_CHECKING:
    import duckdb


@instrument(
    "score-tree",
    subjects="runs",
    title="Score tree",
    quantity="the leaves whose weighted sum is the reward: range, abstentions, share of what differs inside a group",
    unit="reward",
    needs="record.record",
    cost="one pass over the rollouts",
    version=2,
    order=30,
    declines="without a score; shares where the reward has one leaf, or where no group's rewards differ",
    source="Cov(w s, r) / Var(r) inside groups, which adds to 1 over the leaves",
    price=needing("rollouts"),
)
def score_tree(review: Review) -> Result | Declined:
    """`leaves`, `abstained` k of n rollouts without any score; by leaf `{leaf}.weight`, `.low`, `.high`, `.scored`,
    `.abstained`, `.share` of the variance of the total inside groups; `partly` k of n rollouts that some leaves scored
    and others not. Tables `leaves`, and `spread`, the totals in bins. One leaf is no decomposition; that is said."""
    composed = composition(review)
    if isinstance(composed, Declined):
        return composed
    rows = review.run.rows
    names = list(composed.weights)
    sums = review.over_steps(_leaf_sums, leaves=names, reward=composed.reward)
    fields: dict[str, Quantity | Label | Declined] = {
        "leaves": Quantity(max(1, len(names)), "leaves", "size"),
        "decomposition": Label("a sum of leaves" if len(names) > 1 else "none: one leaf is the whole reward"),
        "weights-from": Label(composed.how),
        "low": _extreme(sums, "low", min, rows),
        "high": _extreme(sums, "high", max, rows),
        "abstained": Quantity(rows - sum(one["scored"] for one in sums), "rollouts", "count", of=rows),
        "partly": Quantity(sum(one["partly"] for one in sums), "rollouts", "count", of=rows),
    }
    shares = _shares(review, composed) if len(names) > 1 else {}
    for name, weight in composed.weights.items():
        own = [one["leaves"][name] for one in sums]
        scored = sum(one["scored"] for one in own)
        at = kebab(name)
        fields |= {
            f"{at}.weight": Quantity(weight, "of the total", "ratio"),
            f"{at}.low": _extreme(own, "low", min, scored),
            f"{at}.high": _extreme(own, "high", max, scored),
            f"{at}.scored": Quantity(scored, "rollouts", "count", of=rows),
            f"{at}.abstained": Quantity(rows - scored, "rollouts", "count", of=rows),
        }
        if name in shares:
            fields[f"{at}.share"] = shares[name]
    scope = f"{rows} rollouts of {review.run.name}; a leaf may itself be a sum that the grader never wrote down."
    tables = {"leaves": _table(composed, fields)} if names else {}
    low, high = fields["low"], fields["high"]
    if isinstance(low, Quantity) and isinstance(high, Quantity):
        tables["spread"] = spread(review, composed.reward, float(low.value), float(high.value))
    return Result(Measured(fields, "leaves", scope), tables)


def _extreme(parts: list[Any], name: str, pick: Any, rows: int) -> Quantity | Declined:
    values = [one[name] for one in parts if one[name] is not None]
    if not values:
        return Declined("record_incomplete", "no rollout has a score", "record the graders' scores")
    return Quantity(pick(values), "reward", "score", n=rows)


def _table(composed: Composition, fields: dict[str, Quantity | Label | Declined]) -> Columns:
    names = [kebab(name) for name in composed.weights]

    def column(part: str) -> list[float | None]:
        found = [fields.get(f"{name}.{part}") for name in names]
        return [one.value if isinstance(one, Quantity) else None for one in found]

    columns: Columns = {"leaf": list(composed.weights)}
    return columns | {part: column(part) for part in ("weight", "low", "high", "scored", "abstained", "share")}


def _leaf_sums(database: duckdb.DuckDBPyConnection, _span: Range, leaves: list[str], reward: str) -> dict[str, Any]:
    told = []
    for name in leaves:
        leaf = f'"{LEAF}{name}"'
        told.append(f"count({leaf}), min({leaf}), max({leaf})")
    scored = " + ".join(f'("{LEAF}{name}" IS NOT NULL)::INT' for name in leaves) or "1"
    whole = f"count({reward}), min({reward}), max({reward})"
    partly = f"count(*) FILTER (({scored}) BETWEEN 1 AND {len(leaves) - 1})" if leaves else "0"
    row = database.execute(f"SELECT {', '.join([whole, partly, *told])} FROM rollouts").fetchone()
    assert row is not None
    some, low, high, part, *rest = row
    own = {name: dict(zip(("scored", "low", "high"), rest[3 * at :], strict=False)) for at, name in enumerate(leaves)}
    return {"scored": some, "low": low, "high": high, "partly": part, "leaves": own}


def _shares(review: Review, composed: Composition) -> dict[str, Quantity | Declined]:
    """Each leaf's share of the variance of the total inside groups, over groups whose rollouts all have every leaf."""
    from lens.runs.sums import ratio

    names = list(composed.weights)
    parts = [one for some in review.over_steps(_products, weights=composed.weights) for one in some]
    found: dict[str, Quantity | Declined] = {}
    for at, name in enumerate(names):
        value, interval, clusters = ratio([(one[at], one[-1]) for one in parts], seed=review.seed, draws=review.draws)
        found[name] = _share(value, interval, clusters)
    return found


def _share(value: float | None, interval: Interval | None, clusters: int) -> Quantity | Declined:
    if value is None:
        return Declined(
            "assumption_violated", "in no fully scored group do rewards differ", "record a run in which scores differ"
        )
    if interval is None:
        return Declined(
            "corpus_inadequate", f"{clusters} steps with a difference have no interval", "record at least 8 such steps"
        )
    return Quantity(value, "of the variance in groups", "ratio", interval=interval, n=clusters)


def _products(database: duckdb.DuckDBPyConnection, _span: Range, weights: dict[str, float]) -> list[tuple[float, ...]]:
    """By step: the sums over groups of Cov(w s, r) for each leaf, and of Var(r)."""
    terms = [f'{weight!r} * "{LEAF}{name}"' for name, weight in weights.items()]
    whole = " + ".join(terms)
    told = [f"covar_pop({term}, {whole}) AS c{at}" for at, term in enumerate(terms)]
    sums = [f"fsum(c{at})" for at in range(len(terms))]
    by_group = f'SELECT step, {", ".join(told)}, var_pop({whole}) AS v FROM rollouts GROUP BY step, "group" '
    by_group += f"HAVING count({whole}) = count(*)"
    found = database.execute(f"SELECT {', '.join(sums)}, fsum(v) FROM ({by_group}) GROUP BY step ORDER BY step")
    return [tuple(float(one or 0.0) for one in row) for row in found.fetchall()]
