"""Groups whose rollouts repeat one another, each with a planted probability."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (20, 6, 8)  # steps, groups, rollouts


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Every rollout but a group's first has the first one's text with probability `dose`, else a text that no other of
    its group has. Groups answer different prompts in the same eight texts: those are no copies."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, size = SHAPE
    copied = rng.random(SHAPE) < dose
    text = np.where(copied, 0, np.arange(size))
    count = steps * groups * size
    columns = {
        "reward": rng.standard_normal(count).tolist(),
        "prompt_text": [f"question {one}" for one in np.arange(steps * groups).repeat(size).tolist()],
        "completion_text": [f"answer {one}" for one in text.ravel().tolist()],
    }
    own = size - float(copied[..., 1:].sum(axis=2).mean())
    told = {"dose": dose, "distinct": size - (size - 1) * dose, "own": own}
    return Made(rolled(folder, SHAPE, columns), told)


FAMILY = Family(
    "copies",
    "Rollouts that repeat one another",
    "of rollouts but the first",
    (0.0, 0.02, 0.05, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
