"""Gradient norms as trainers log them, and the steps whose rewards left nothing to follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lens.runs.review import Review

if TYPE_CHECKING:
    import duckdb

    from lens.runs.record import Range, Record

NORMS = ("grad_norm", "actor/grad_norm", "train/grad_norm", "optim/grad_norm")
"""What trainers call it. All log what `torch.nn.utils.clip_grad_norm_` returns, which it takes before it clips."""
DEAD = "frac_reward_zero_std"  # TRL's share of groups whose rewards are all alike


class Step(NamedTuple):
    """`dead`: no group of the step has two different rewards; None where nothing tells."""

    step: int
    norm: float
    dead: bool | None

    def applied(self, threshold: float) -> float:
        """What was left after clipping; a threshold of 0 clips nothing, as in Hugging Face's trainer."""
        return min(self.norm, threshold) if threshold > 0 else self.norm

    def factor(self, threshold: float) -> float:
        return self.applied(threshold) / self.norm if self.norm > 0 else 1.0


def logged(review: Review) -> list[Step]:
    """The steps with a norm, in order."""
    record = review.record()
    series = record.series(*NORMS, DEAD)
    dead = dead_steps(review)
    found = []
    for step, values in series.items():
        norm = next((values[name] for name in NORMS if name in values), None)
        if norm is not None:
            said = values[DEAD] == 1.0 if DEAD in values else dead.get(step)
            found.append(Step(step, norm, said))
    return found


def dead_steps(review: Review) -> dict[int, bool]:
    """By step, whether every group of it has one reward alone; from rewards, else from advantages; {} without both."""
    record = review.record()
    column = spread_of(record)
    if column is None:
        return {}
    return {step: bool(dead) for some in review.over_steps(_dead, column=column) for step, dead in some}


def spread_of(record: Record) -> str | None:
    return next(
        (name for name in ("reward", "advantage") if name in record.columns and not record.header.absent.get(name)),
        None,
    )


def _dead(database: duckdb.DuckDBPyConnection, _span: Range, *, column: str) -> list[tuple[int, bool]]:
    """Exact on what was written: a spread of round-off is round-off of the advantages, not of rewards."""
    return database.execute(
        f"""SELECT step, max(coalesce(spread, 0)) = 0 FROM
        (SELECT step, "group", max("{column}") - min("{column}") AS spread FROM rollouts GROUP BY step, "group")
        GROUP BY step ORDER BY step"""
    ).fetchall()
