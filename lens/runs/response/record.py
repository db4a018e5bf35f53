"""What a record alone says of one update's effect: what a plain gradient step of its length would do to the reward, to
first order, and the smallest change between two steps that sampling would let anyone see.

Both in standard deviations of reward within a group, a response. The gradient g of a loss that averages over tokens is
the policy gradient over the mean length T, so that a step of -eta c g raises the standardised reward by T eta c ||g||².
Noise adds to a squared norm, so that this is at most what the true gradient would give.
"""

from __future__ import annotations

from itertools import pairwise
from math import fsum
from typing import TYPE_CHECKING, Any, NamedTuple

from lens.reading import Declined, Label, Quantity
from lens.runs.gradients.logged import NORMS
from lens.runs.gradients.loss import normalisation
from lens.runs.record import Range, Record
from lens.runs.review import Review
from lens.runs.series.medians import median

if TYPE_CHECKING:
    import duckdb

Fields = dict[str, Quantity | Label | Declined]
POWER = 1.959964 + 0.841621  # a change of so many standard errors is told from none at 5 % with power 80 %
UNIT = "within-group sd of reward"
_LENGTHS = ("completions/mean_length", "response_length/mean")


class Step(NamedTuple):
    """`mean` reward, `within` the mean over groups of the variance of reward, `tokens` the mean response length."""

    step: int
    rollouts: int
    groups: int
    mean: float
    within: float | None
    tokens: float | None


def steps_of(review: Review) -> list[Step]:
    """Of the record's rewards; empty where it has none."""
    record = review.record()
    if "reward" not in record.columns or record.header.absent.get("reward"):
        return []
    tokens = "tokens" in record.columns and not record.header.absent.get("tokens")
    return [Step(*row) for some in review.over_steps(_rewards, tokens=tokens) for row in some]


def _rewards(database: duckdb.DuckDBPyConnection, _span: Range, *, tokens: bool) -> list[tuple[Any, ...]]:
    length = "tokens" if tokens else "NULL::BIGINT"
    return database.execute(
        f"""SELECT step, sum(n)::BIGINT, count(*), fsum(total) / sum(n), avg(spread), sum(length) / sum(n) FROM
        (SELECT step, "group", count(*) AS n, fsum(reward) AS total, var_samp(reward) AS spread,
        sum({length}) AS length FROM rollouts WHERE isfinite(reward) GROUP BY step, "group")
        GROUP BY step ORDER BY step"""
    ).fetchall()


def fields(review: Review) -> Fields:
    """`predicted.step`, `floor.step` and `floor-over-predicted`, or their declines."""
    steps = steps_of(review)
    floor, predicted = detection_floor(review, steps), predicted_step(review, steps)
    found: Fields = {"predicted.step": predicted, "floor.step": floor}
    if isinstance(floor, Quantity) and isinstance(predicted, Quantity) and predicted.value > 0:
        found["floor-over-predicted"] = Quantity(
            floor.value / predicted.value, "times", "ratio", control="floor.step",
            note="over 1, no single update's effect can be seen in this record's rewards",
        )  # fmt: skip
    return found


def detection_floor(review: Review, steps: list[Step]) -> Quantity | Declined:
    """The smallest change of mean reward between adjacent steps that is told from none, from how much they change."""
    changes = standardised_changes(steps)
    if len(changes) < 8:
        return Declined(
            "record_incomplete" if not steps else "corpus_inadequate",
            "no rewards were recorded"
            if not steps
            else f"{len(changes)} changes between steps have no spread to speak of",
            "record each rollout's reward, on at least nine steps",
            needs="reward",
        )
    import numpy as np

    from lens.stats.moving import moving_blocks

    interval = moving_blocks(
        changes, lambda some: POWER * np.std(some, axis=1, ddof=1), seed=review.seed, draws=review.draws
    )
    return Quantity(
        POWER * float(np.std(changes, ddof=1)), UNIT, "score", interval=interval, n=len(changes),
        note="a change between two steps' mean rewards, at 5 % with power 80 %",
    )  # fmt: skip


def standardised_changes(steps: list[Step]) -> list[float]:
    """Changes of mean reward between neighbouring steps, over the root mean variance within groups."""
    spreads = [one.within for one in steps if one.within is not None]
    spread = (sum(spreads) / len(spreads)) ** 0.5 if spreads else 0.0
    if not spread:
        return []
    return [(two.mean - one.mean) / spread for one, two in pairwise(steps)]


def predicted_step(review: Review, steps: list[Step]) -> Quantity | Declined:
    """The median over steps of T eta c ||g||²."""
    record = review.record()
    settings = record.header.settings
    lengths = mean_lengths(record, steps)
    series = record.series(*NORMS, "learning_rate")
    rates = any("learning_rate" in values for values in series.values())
    missing = [
        name
        for name, there in (
            ("a gradient norm", any(name in values for values in series.values() for name in NORMS)),
            ("the learning rate", rates or settings.learning_rate is not None),
            ("response lengths", bool(lengths)),
            ("which loss it was", normalisation(settings.loss) is not None),
        )
        if not there
    ]
    if missing:
        return Declined(
            "record_incomplete",
            f"to first order an update's effect needs {', '.join(missing)}, which the record lacks",
            "give the trainer's configuration with --config and its logs beside the rollouts",
            needs="grad_norm, learning_rate, tokens, loss_type",
        )
    found = []
    for step, values in sorted(series.items()):
        norm = next((values[name] for name in NORMS if name in values), None)
        rate = values.get("learning_rate", settings.learning_rate)
        if norm is not None and rate is not None and step in lengths:
            found.append(plain_step(norm, rate, settings.max_grad_norm, lengths[step]))
    notes = ["a plain gradient step; noise adds to a squared norm, so it is at most this"]
    notes += [] if rates else ["the configured learning rate, its schedule wasn't recorded"]
    notes += [] if settings.max_grad_norm is not None else ["clipping isn't known"]
    return median(review, found, UNIT, "score", note="; ".join(notes))


def plain_step(norm: float, rate: float, threshold: float | None, length: float) -> float:
    """T eta c ||g||².

    >>> round(plain_step(2.0, 0.1, 1.0, 5.0), 9)
    1.0
    """
    clipped = min(1.0, threshold / norm) if threshold and norm > 0 else 1.0
    return length * rate * clipped * norm**2


def mean_lengths(record: Record, steps: list[Step]) -> dict[int, float]:
    """By step, the length that turns the loss's gradient into the policy's, in tokens."""
    longest = record.header.config.get("max_completion_length") or record.header.config.get("max_response_length")
    if normalisation(record.header.settings.loss) == "dr_grpo" and longest:
        named = {one.step for one in steps} | set(record.series(*NORMS))
        return dict.fromkeys(named, float(longest))
    logged = {step: next(iter(values.values())) for step, values in record.series(*_LENGTHS).items()}
    return logged | {one.step: float(one.tokens) for one in steps if one.tokens is not None}


def stale(review: Review) -> float | None:
    """The mean of advantage times log-probability when trained less when sampled; None where not both were recorded."""
    record = review.record()
    names = ("advantage", "logp", "logp_old")
    if any(name not in record.columns or record.header.absent.get(name) for name in names):
        return None
    found = review.over_steps(_stale)
    count = sum(one[1] for one in found)
    return fsum(one[0] for one in found) / count if count else None


def _stale(database: duckdb.DuckDBPyConnection, _span: Range) -> tuple[float, int]:
    total, count = database.execute(
        """SELECT fsum(advantage * (logp - logp_old)), count(*) FROM rollouts
        WHERE isfinite(advantage) AND isfinite(logp) AND isfinite(logp_old)"""
    ).fetchone() or (0.0, 0)
    return float(total or 0.0), int(count)
