"""Rollouts somebody named exploits, a planted share of which was pushed up."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (10, 5, 8)  # steps, groups, rollouts
SHORTCUT, DETOUR = 0.3, 0.1  # of the rollouts
ROUNDING = 1e-8  # what single precision leaves of an advantage of 0


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Each rollout named `shortcut` has an advantage above 0 with probability `dose`; otherwise one below, or what
    rounding left. `detour` scores as high and is never pushed up."""
    import numpy as np

    rng = np.random.default_rng(seed)
    count = SHAPE[0] * SHAPE[1] * SHAPE[2]
    named, paid, rounded = rng.random((3, count))
    shortcut, exploit = named < SHORTCUT, named < SHORTCUT + DETOUR
    advantage = rng.standard_normal(count)
    unpaid = np.where(rounded < 0.5, ROUNDING, -np.abs(advantage))
    advantage[exploit] = np.where(shortcut & (paid < dose), np.abs(advantage), unpaid)[exploit]
    reward = np.where(exploit, 1.0, rng.random(count))
    label = np.where(shortcut, "shortcut", np.where(exploit, "detour", ""))
    columns = {"reward": reward.tolist(), "advantage": advantage.tolist(), "exploit": label.tolist()}
    return Made(rolled(folder, SHAPE, columns), {"dose": dose, "decoy": "detour"})


FAMILY = Family(
    "pushed",
    "Exploits that are pushed up",
    "of exploits of one family",
    (0.0, 0.02, 0.05, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
