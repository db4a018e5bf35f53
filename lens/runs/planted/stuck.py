"""Steps whose gradient is 0 although rewards differed, a planted share of all that had something to learn from."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import _opened
from lens.runs.record import Record
from lens.runs.settings import Settings
from lens.runs.writer import Writer

SHAPE = (80, 3, 4)  # steps, groups, rollouts
DEAD = 0.2  # of the steps: every group has one reward, and the gradient is rightly 0


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """A step on which a group's rewards differ has a norm of 0 with probability `dose`. Steps without any difference
    have one too, and lose nothing."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, size = SHAPE
    reward = rng.random(SHAPE)
    dead = rng.random(steps) < DEAD
    reward[dead] = reward[dead][..., :1]
    stuck = ~dead & (rng.random(steps) < dose)
    norm = np.where(dead | stuck, 0.0, rng.lognormal(size=steps))
    writer = Writer(folder, folder)
    columns = {
        "step": np.arange(steps).repeat(groups * size).tolist(),
        "group": np.tile(np.arange(groups).repeat(size), steps).tolist(),
        "reward": reward.ravel().tolist(),
    }
    writer.rollouts(folder / "planted", columns)
    for step, value in enumerate(norm.tolist()):
        writer.series(step, {"grad_norm": value})
    record = _opened(writer, Settings(beta=0.0, max_grad_norm=1.0))
    return Made(record, {"dose": dose, "planted": int(stuck.sum())})


FAMILY = Family(
    "stuck",
    "Steps that learn nothing",
    "of steps with a difference to learn from",
    (0.0, 0.02, 0.05, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
