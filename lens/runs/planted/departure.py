"""Advantages by a known rule, but for a planted share of groups that got something else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

if TYPE_CHECKING:
    import numpy as np

SHAPE = (16, 8, 4)  # steps, groups, rollouts
RULES = ("group", "none", "rloo", "batch")  # as lens.runs.selection.rules names them
EPSILON = 1e-4
OFF = 1.02  # a departing group's advantages, over the rule's


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """The seed draws rule and scores; each group departs with probability `dose`."""
    import numpy as np

    rng = np.random.default_rng(seed)
    rule = RULES[int(rng.integers(len(RULES)))]
    scores = rng.normal(size=SHAPE)
    departs = rng.random(SHAPE[:2]) < dose
    advantage = advantages(rule, scores) * np.where(departs, OFF, 1.0)[..., None]
    columns = {"reward": scores.ravel().tolist(), "advantage": advantage.ravel().tolist()}
    return Made(rolled(folder, SHAPE, columns), {"dose": dose, "rule": rule, "departs": int(departs.sum())})


def advantages(rule: str, scores: np.ndarray) -> np.ndarray:
    """Of scores [step, group, rollout], by one of `RULES`."""
    away: np.ndarray = scores - scores.mean(axis=2, keepdims=True)
    size = scores.shape[2]
    match rule:
        case "group":
            away /= scores.std(axis=2, ddof=1, keepdims=True) + EPSILON
        case "batch":
            away /= scores.std(axis=(1, 2), ddof=1, keepdims=True) + EPSILON
        case "rloo":
            away *= size / (size - 1)
    return away


FAMILY = Family(
    "departure",
    "Groups whose advantages follow no rule",
    "of the groups",
    (0.0, 0.01, 0.03, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
