"""Groups whose advantages are all 0 but for rounding, a planted share of all groups."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (10, 10, 4)  # steps, groups, rollouts
FAINT, SMALL = 0.2, 1e-4  # of the groups: advantages that are small, and there
ROUNDING = 1e-8  # what single precision leaves of an advantage of 0


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Each group is without a difference with probability `dose`; some others have small advantages, which push."""
    import numpy as np

    rng = np.random.default_rng(seed)
    away = rng.normal(size=SHAPE)
    away -= away.mean(axis=2, keepdims=True)
    level, faint = rng.random((2, *SHAPE[:2]))
    scale = np.where(level < dose, ROUNDING, np.where(faint < FAINT, SMALL, 1.0))
    advantage = away * scale[..., None]
    record = rolled(folder, SHAPE, {"advantage": advantage.ravel().tolist()})
    return Made(record, {"dose": dose, "planted": int((level < dose).sum())})


FAMILY = Family(
    "level",
    "Groups in which nothing differs",
    "of the groups",
    (0.0, 0.02, 0.05, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
