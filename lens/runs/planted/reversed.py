"""Advantages of which a planted share has the other sign than the rollout's reward gave it."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (10, 5, 8)  # steps, groups, rollouts
SILENT = 0.1  # of the rollouts, without a score


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Each scored rollout's advantage is its distance from the group's mean, and with probability `dose` its negative.
    Rollouts without a score have advantages of either sign, which disagree with nothing."""
    import numpy as np

    rng = np.random.default_rng(seed)
    reward, stray = rng.normal(size=(2, *SHAPE))
    silent, turned = rng.random((2, *SHAPE))
    reward[silent < SILENT] = np.nan
    away = reward - np.nanmean(reward, axis=2, keepdims=True)
    turns = (turned < dose) & ~np.isnan(reward)
    advantage = np.where(np.isnan(reward), stray, np.where(turns, -away, away))
    columns = {
        "reward": [None if one != one else one for one in reward.ravel().tolist()],
        "advantage": advantage.ravel().tolist(),
    }
    return Made(rolled(folder, SHAPE, columns), {"dose": dose, "planted": int(turns.sum())})


FAMILY = Family(
    "reversed",
    "Advantages of the wrong sign",
    "of scored rollouts",
    (0.0, 0.01, 0.03, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
