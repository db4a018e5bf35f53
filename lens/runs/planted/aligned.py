"""Gradients of rollouts that share a direction along their advantages, by a planted part of their own length."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lens.planted import Family, Made
from lens.runs.planted._records import _opened
from lens.runs.record import Record
from lens.runs.settings import Settings
from lens.runs.writer import Writer

if TYPE_CHECKING:
    import numpy as np

STEPS, GROUPS, SIZE, WIDTH = 40, 2, 8, 400  # WIDTH directions
SETTINGS = Settings(iterations=1, generations=1, beta=0.0, entropy=0.0)


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """Each gradient is Gaussian of length 1, and along one direction its advantage times `dose` is added: then they add
    up. The decoy is a record of its own, whose gradients share the direction along the advantage of another rollout of
    their group: structure as large, that adds up to nothing."""
    import numpy as np

    rng = np.random.default_rng(seed)
    advantage = rng.normal(size=(STEPS, GROUPS, SIZE))
    advantage -= advantage.mean(axis=2, keepdims=True)
    other = rng.permuted(advantage, axis=2)
    apart = rng.normal(size=(STEPS, GROUPS * SIZE, WIDTH)) / np.sqrt(WIDTH)
    made = []
    for name, along in (("planted", advantage), ("decoy", other)):
        gradients = apart.copy()
        gradients[:, :, 0] += dose * along.reshape(STEPS, -1)
        (folder / name).mkdir()
        made.append(_written(folder / name, advantage, gradients))
    return Made(made[0], {"dose": dose, "decoy": made[1]})


def _written(folder: Path, advantage: np.ndarray, gradients: np.ndarray) -> Record:
    writer = Writer(folder, folder)
    groups = [group for group in range(GROUPS) for _ in range(SIZE)]
    for step, (given, some) in enumerate(zip(advantage.reshape(STEPS, -1).tolist(), gradients, strict=True), 1):
        rows = list(range(writer.rows, writer.rows + len(groups)))
        writer.rollouts(folder / "made", {"step": step, "group": groups, "advantage": given})
        writer.gram(
            {
                "step": [step],
                "row": [rows],
                "advantage": [given],
                "gram": [(some @ some.T).ravel().tolist()],
                "term": [[]],
                "full_norm": [float("nan")],
            }
        )
    return _opened(writer, SETTINGS)


FAMILY = Family(
    "aligned",
    "Gradients that add up",
    "of a gradient's length, a unit of advantage",
    (0.0, 0.05, 0.1, 0.2, 0.4),
    plant,
    (__name__, "lens.runs.planted._records"),
)
