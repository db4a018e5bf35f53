"""Rollouts whose scoring failed and was written down as 0, a planted share of all zeros."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (10, 5, 8)  # steps, groups, rollouts
ZERO, BESIDE = 0.4, 0.1  # of all scores; failures among those that aren't 0


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Each zero stands with probability `dose` where scoring failed. Some scorings failed and left another score, which
    is no silent zero."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, size = SHAPE
    zero, lost, beside = rng.random((3, steps * groups * size))
    reward = np.where(zero < ZERO, 0.0, 1.0)
    silent = (reward == 0) & (lost < dose)
    failed = silent | ((reward > 0) & (beside < BESIDE))
    record = rolled(folder, SHAPE, {"reward": reward.tolist(), "failed": failed.tolist()})
    return Made(record, {"dose": dose, "silent": int(silent.sum())})


FAMILY = Family(
    "lost",
    "Failures written down as a score",
    "of such scores",
    (0.0, 0.02, 0.05, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
