"""Rewards that foretell a trusted score with a planted correlation: what the best of eight gains of it is known."""

from __future__ import annotations

import math
from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (1, 64, 8)  # steps, groups, rollouts
BEST = 1.4236003060469602  # mean of the largest of eight standard normals


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Reward and `gold` are standard normal with a correlation of `dose`, so that the gold of the best of eight by
    reward has a mean of `dose` times that of the largest of eight. The leaf `style` is unrelated to the reward."""
    import numpy as np

    rng = np.random.default_rng(seed)
    reward, other, style = rng.standard_normal((3, SHAPE[1] * SHAPE[2]))
    gold = dose * reward + math.sqrt(1 - dose**2) * other
    columns = {"score.answer": reward, "score.style": style, "reward": reward, "gold": gold}
    record = rolled(folder, SHAPE, {name: column.tolist() for name, column in columns.items()})
    return Made(record, {"dose": dose, "mean": dose * BEST, "decoy": "style"})


FAMILY = Family(
    "proxy",
    "A reward that foretells a trusted score",
    "of correlation",
    (0.0, 0.1, 0.2, 0.4, 0.8),
    plant,
    (__name__, "lens.runs.planted._records"),
)
