"""What a run's reward is made of: its leaves and their weights, held against the total that was trained on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lens.reading import Declined
from lens.runs.columns import LEAF
from lens.runs.record import Range
from lens.runs.review import Review, lacking

if TYPE_CHECKING:
    import duckdb

TOTAL = "reward"
TOLERANCE = 1e-5  # of max(1, |total|): totals are sums in single precision


@dataclass(frozen=True)
class Composition:
    """`weights` of the leaves that add up to the total; empty where the total is all there is. `how` says what told
    them; `residual` is the largest difference from the recorded total, None where none is recorded."""

    weights: dict[str, float]
    how: str
    residual: float | None

    @property
    def leaves(self) -> dict[str, tuple[str, float]]:
        """SQL of each leaf's score, and its weight; the total alone where there is nothing else."""
        return {name: (f'"{LEAF}{name}"', weight) for name, weight in self.weights.items()} or {TOTAL: (TOTAL, 1.0)}

    @property
    def reward(self) -> str:
        """SQL of the total over a rollout: null where every leaf abstained."""
        return total(self.leaves)


def total(terms: dict[str, tuple[str, float]]) -> str:
    """SQL of a weighted sum over the leaves that gave a score; null where none did.

    >>> total({"a": ('"score.a"', 2.0)})
    'CASE WHEN "score.a" IS NOT NULL THEN coalesce(2.0 * "score.a", 0) END'
    """
    given = " OR ".join(f"{leaf} IS NOT NULL" for leaf, _ in terms.values())
    parts = " + ".join(f"coalesce({weight!r} * {leaf}, 0)" for leaf, weight in terms.values())
    return f"CASE WHEN {given} THEN {parts} END"


def composition(review: Review) -> Composition | Declined:
    """The weights the trainer was given, else plain weights that reproduce the total; declined where nothing does.

    Of several leaves without known weights, only those are taken whose plain sum, or one of them alone, is the total.
    """
    return review.remember("composition", lambda: _composed(review))


def _composed(review: Review) -> Composition | Declined:
    record = review.record()
    if (missing := lacking(record, "rollouts")) is not None:
        return missing
    leaves, given = record.header.leaves, record.header.settings.weights
    totalled = "reward" in record.columns and not record.header.absent.get("reward")
    for name in leaves:
        if (declined := lacking(record, f"{LEAF}{name}")) is not None:
            return declined
    if given and set(given) <= set(leaves):
        told = Composition(dict(given), "the trainer's configuration", None)
        return _held(review, told) if totalled else told
    if not leaves:
        return Composition({}, "the total alone", 0.0) if totalled else _nothing(record.header.gaps)
    if not totalled:
        if len(leaves) == 1:
            return Composition({leaves[0]: 1.0}, "one leaf", None)
        return Declined(
            "record_incomplete",
            f"{len(leaves)} leaves, and nothing says their weights or the total",
            "lens measure run SUBJECT --config FILE, the trainer's configuration",
            needs="reward_weights or a column reward",
            has=", ".join(leaves),
        )
    tries = [dict.fromkeys(leaves, 1.0), *({name: 1.0} for name in leaves if len(leaves) > 1)]
    for weights in tries:
        held = _held(review, Composition(weights, "the total, which they add up to", None))
        if isinstance(held, Composition):
            return held
    return Composition({}, "the total alone: the leaves don't add up to it", None)


def _nothing(gaps: object) -> Declined:
    return Declined(
        "record_incomplete",
        "no score was recorded",
        "write each reward function's score, and their total, beside every rollout",
        needs="a score",
        has=", ".join(gaps) if isinstance(gaps, dict) else "",
    )


def _held(review: Review, told: Composition) -> Composition | Declined:
    """The composition with its residual, or a decline where it isn't the total."""
    worst = max((one for one in review.over_steps(_residual, reward=told.reward) if one is not None), default=0.0)
    if worst > TOLERANCE:
        return Declined(
            "assumption_violated",
            f"the leaves with their weights miss the recorded total by up to {worst:.3g}",
            "check reward_weights, and that no leaf is missing from the record",
        )
    return Composition(told.weights, told.how, worst)


def _residual(database: duckdb.DuckDBPyConnection, _span: Range, reward: str) -> float | None:
    """The largest difference from the total, of max(1, |total|); a total and no score, or the reverse, is 1."""
    apart = f"CASE WHEN ({reward}) IS NULL AND reward IS NULL THEN 0 WHEN ({reward}) IS NULL THEN abs(reward) "
    apart += f"WHEN reward IS NULL THEN 1 ELSE abs(({reward}) - reward) / greatest(1, abs(reward)) END"
    (worst,) = database.execute(f"SELECT max({apart}) FROM rollouts").fetchone() or (None,)
    return None if worst is None else float(worst)
