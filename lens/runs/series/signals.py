"""Series of a run, one number a step: computed from its rollouts where it has them, else as the trainer logged them.

A step without a number has no entry: a gap is neither zero nor the number before. What is read inside a group (the
variance of reward, reward against length) counts rollouts with a finite reward, in groups of at least two of them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from lens.reading import Declined, Kind
from lens.runs.columns import LEAF
from lens.runs.record import Range, Record
from lens.runs.review import Review

if TYPE_CHECKING:
    import duckdb

Origin = Literal["rollouts", "logged"]


class Signal(NamedTuple):
    """`group` is its value for one group, in SQL over the group's rollouts (`r` the reward where it is finite, `l` the
    length): the step's value is the mean over groups. `step` is SQL over a step's rollouts where it is no such mean.
    `needs` are the columns that takes; `logged` are trainers' names for it.

    An `outcome` is what a warning is about: no detector reads it. A detector reads one of two `twin`s alone.
    """

    name: str
    about: str
    unit: str
    kind: Kind
    group: str = ""
    step: str = ""
    needs: tuple[str, ...] = ()
    logged: tuple[str, ...] = ()
    outcome: bool = False
    twin: str = ""


SIGNALS = (
    Signal(
        "within-group-variance",
        "variance of reward inside a group",
        "reward²",
        "score",
        group="CASE WHEN count(r) > 1 THEN var_pop(r) END",
        needs=("reward",),
        logged=("within_group_variance",),
    ),
    Signal(
        "dead-groups",
        "groups whose rewards are all equal",
        "share of groups",
        "proportion",
        group="CASE WHEN count(r) > 1 THEN CAST(max(r) = min(r) AS DOUBLE) END",
        needs=("reward",),
        logged=("frac_reward_zero_std", "zero_var_groups"),
    ),
    Signal(
        "reward",
        "mean reward",
        "reward",
        "score",
        group="fsum(r) / nullif(count(r), 0)",
        needs=("reward",),
        logged=("reward", "proxy", "critic/rewards/mean", "critic/score/mean", "reward/mean"),
    ),
    Signal(
        "length",
        "mean response length",
        "tokens",
        "score",
        group="fsum(l) / nullif(count(l), 0)",
        needs=("length",),
        logged=("completions/mean_length", "response_length/mean", "length"),
    ),
    Signal(
        "reward-length",
        "correlation of reward and length inside a group",
        "within groups",
        "correlation",
        step="reward_length",
        needs=("reward", "length"),
    ),
    Signal(
        "entropy",
        "mean token entropy",
        "nats",
        "score",
        group="fsum(entropy) / nullif(count(entropy), 0)",
        needs=("entropy",),
        logged=("entropy", "actor/entropy", "actor/entropy_loss"),
    ),
    Signal(
        "kl",
        "log-probability of a response over the reference's",
        "nats a response",
        "score",
        group="fsum(logp_old - logp_ref) / nullif(count(logp_old - logp_ref), 0)",
        needs=("logp_old", "logp_ref"),
    ),
    Signal(
        "kl-per-token",
        "log-probability of a token over the reference's",
        "nats a token",
        "score",
        group="fsum(logp_old - logp_ref) / nullif(sum(tokens) FILTER (logp_old - logp_ref IS NOT NULL), 0)",
        needs=("logp_old", "logp_ref", "tokens"),
        logged=("kl", "actor/kl_loss"),
        twin="kl",
    ),
    Signal(
        "ess",
        "effective share of a step's rollouts under importance weights",
        "share of rollouts",
        "proportion",
        step="ess",
        needs=("logp", "logp_old"),
    ),
    Signal(
        "gradient-norm",
        "gradient norm before clipping",
        "norm",
        "score",
        logged=("grad_norm", "actor/grad_norm"),
    ),
    Signal(
        "exploits",
        "rollouts that are an exploit",
        "share of rollouts",
        "proportion",
        group="avg(CAST(exploit IS NOT NULL AND exploit <> '' AS DOUBLE))",
        needs=("exploit",),
        logged=("hack_rate", "spray"),
        outcome=True,
    ),
    Signal(
        "gold",
        "mean score by the trusted grader",
        "gold score",
        "score",
        group="fsum(gold) / nullif(count(gold), 0)",
        needs=("gold",),
        logged=("gold",),
        outcome=True,
    ),
)
"""In the order they are read and listed."""

STATEMENTS = {
    "reward_length": """
        SELECT step, fsum(rl) / nullif(sqrt(fsum(rr) * fsum(ll)), 0) FROM (
            SELECT step, regr_sxy(r, l) AS rl, regr_syy(r, l) AS rr, regr_sxx(r, l) AS ll
            FROM read GROUP BY step, "group") GROUP BY step ORDER BY step""",
    "ess": """
        SELECT step, fsum(w) * fsum(w) / fsum(w * w) / count(w) FROM (
            SELECT step, exp(logp - logp_old - max(logp - logp_old) OVER (PARTITION BY step)) AS w FROM read
            WHERE isfinite(logp) AND isfinite(logp_old)) GROUP BY step ORDER BY step""",
}


class Point(NamedTuple):
    """A step's value; `sd` over its `groups`, NaN where it is no mean over them."""

    step: int
    value: float
    sd: float
    groups: int


class Series(NamedTuple):
    """`points` in step order; `unit` says characters where those were counted."""

    signal: Signal
    origin: Origin
    unit: str
    points: list[Point]

    @property
    def steps(self) -> list[int]:
        return [point.step for point in self.points]

    @property
    def values(self) -> list[float]:
        return [point.value for point in self.points]


def series_of(review: Review) -> dict[str, Series]:
    """Every signal that the record carries, by name."""
    return review.remember("signals", lambda: _series_of(review))


def _series_of(review: Review) -> dict[str, Series]:
    record = review.record()
    reward, length = reward_of(record), length_of(record)
    there = {*record.columns} | ({"reward"} if reward else set()) | ({"length"} if length else set())
    there -= {name for name in there if record.header.absent.get(name)}
    names = [signal.name for signal in SIGNALS if signal.needs and there.issuperset(signal.needs)]
    computed = _computed(review, names, reward, length)
    logged = record.series()
    found = {}
    for signal in SIGNALS:
        points, origin = computed.get(signal.name, []), "rollouts"
        if not points:
            points, origin = _logged(signal, logged), "logged"
        if points:
            chars = signal.name == "length" and origin == "rollouts" and length == "chars"
            found[signal.name] = Series(signal, origin, "characters" if chars else signal.unit, points)  # type: ignore[arg-type]
    return found


def _computed(review: Review, names: list[str], reward: str, length: str) -> dict[str, list[Point]]:
    if not names:
        return {}
    found: dict[str, list[Point]] = {name: [] for name in names}
    for part in review.over_steps(points_of, names=names, reward=reward or "NULL", length=length or "NULL"):
        for name, rows in part.items():
            found[name] += [Point(step, settled(value), sd, groups) for step, value, sd, groups in rows]
    return found


def settled(value: float) -> float:
    """A computed value without its last few bits: what never changes must not seem to, by the rounding of a sum.

    >>> settled(1.0000000000000002), settled(0.1 + 0.2)
    (1.0, 0.3)
    """
    return float(f"{value:.12g}")


def points_of(
    database: duckdb.DuckDBPyConnection, _span: Range, names: list[str], reward: str, length: str
) -> dict[str, list[list[Any]]]:
    """[step, value, sd over groups, groups] of every signal, for the rollouts that the connection shows."""
    points_view(database, reward, length)
    found: dict[str, list[list[Any]]] = {}
    means = [signal for signal in SIGNALS if signal.name in names and signal.group]
    if means:
        inner = ", ".join(f"{signal.group} AS v{at}" for at, signal in enumerate(means))
        outer = ", ".join(f"fsum(v{at}) / count(v{at}), stddev_samp(v{at}), count(v{at})" for at in range(len(means)))
        rows = database.execute(
            f'SELECT step, {outer} FROM (SELECT step, {inner} FROM read GROUP BY step, "group") '
            "GROUP BY step ORDER BY step"
        ).fetchall()
        for at, signal in enumerate(means):
            found[signal.name] = [
                [row[0], row[1 + 3 * at], _number(row[2 + 3 * at]), row[3 + 3 * at]]
                for row in rows
                if _finite(row[1 + 3 * at])
            ]
    for signal in SIGNALS:
        if signal.name in names and signal.step:
            rows = database.execute(STATEMENTS[signal.step]).fetchall()
            found[signal.name] = [[step, value, math.nan, 0] for step, value in rows if _finite(value)]
    return found


def points_view(database: duckdb.DuckDBPyConnection, reward: str, length: str) -> None:
    """The view `read`: rollouts with `r`, the reward where it is finite, and `l`, the length."""
    database.execute(
        f"CREATE VIEW read AS SELECT *, CASE WHEN isfinite({reward}) THEN {reward} END AS r, "
        f"CAST({length} AS DOUBLE) AS l FROM rollouts"
    )


def _logged(signal: Signal, logged: dict[int, dict[str, float]]) -> list[Point]:
    """A trainer's own numbers, under the first of its names that occurs; loggers put `train/` before them."""
    for name in [prefix + name for name in signal.logged for prefix in ("", "train/")]:
        points = [
            Point(step, values[name], math.nan, 0)
            for step, values in sorted(logged.items())
            if _finite(values.get(name))
        ]
        if points:
            return points
    return []


def reward_of(record: Record) -> str:
    """The total reward in SQL: the trainer's, else its leaves by their weights; "" where neither is known.

    A rollout on which every leaf abstained has none; on which some did, the sum of the others.
    """
    if "reward" in record.columns:
        return "reward"
    leaves = [LEAF + name for name in record.header.leaves]
    weights = record.header.settings.weights or {}
    if not leaves or (len(leaves) > 1 and not all(name.removeprefix(LEAF) in weights for name in leaves)):
        return ""
    parts = [f'coalesce({weights.get(name.removeprefix(LEAF), 1.0)!r} * "{name}", 0)' for name in leaves]
    some = ", ".join(f'"{name}"' for name in leaves)
    return f"(CASE WHEN coalesce({some}) IS NOT NULL THEN {' + '.join(parts)} END)"


def length_of(record: Record) -> str:
    """The column that says how long a response is: tokens, else characters; "" where neither is there."""
    return next((name for name in ("tokens", "chars") if name in record.columns), "")


def watched(review: Review) -> dict[str, Series]:
    """The series that detectors read: no outcomes, and one of two twins."""
    found = series_of(review)
    return {
        name: one for name, one in found.items() if not one.signal.outcome and (one.signal.twin or None) not in found
    }


def nothing_to_read(review: Review) -> Declined:
    """The decline of an instrument that found no series it reads."""
    gap = review.record().header.gaps.get("series") or review.record().header.gaps.get("rollouts")
    return Declined(
        "record_incomplete",
        f"the record holds no series by step{f': {gap.detail}' if gap else ''}",
        gap.remedy if gap else "record rollouts with their rewards, or what the trainer logs at every step",
        needs="rollouts with rewards, or logged series",
    )


def _finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)
