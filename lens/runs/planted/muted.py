"""Graders that gave no score, and totals that took that for a 0 on a planted share of such rollouts."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (10, 5, 8)  # steps, groups, rollouts
SILENT, PARTLY = 0.3, 0.1  # of the rollouts: without any score, without one of the two


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Where both leaves are empty the total is 0 with probability `dose`, and empty else. Some rollouts have one score
    alone, often a 0, which is their total: no score was taken for a 0 there."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, size = SHAPE
    silent, partly, which, forced = rng.random((4, steps * groups * size))
    none = silent < SILENT
    one = ~none & (partly < PARTLY)
    answer, style = rng.integers(0, 2, (2, steps * groups * size)).astype(float)
    answer[none | (one & (which < 0.5))] = np.nan
    style[none | (one & (which >= 0.5))] = np.nan
    total = np.where(none, np.where(forced < dose, 0.0, np.nan), np.nan_to_num(answer) + np.nan_to_num(style))
    columns = {"score.answer": answer, "score.style": style, "reward": total}
    flat = {name: [None if value != value else value for value in some.tolist()] for name, some in columns.items()}
    return Made(rolled(folder, SHAPE, flat), {"dose": dose, "planted": int((none & (forced < dose)).sum())})


FAMILY = Family(
    "muted",
    "No score, taken for a 0",
    "of rollouts without a score",
    (0.0, 0.02, 0.05, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
