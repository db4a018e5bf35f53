"""Rewards that are a weighted sum of leaves, of which one is a planted share of what differs inside a group."""

from __future__ import annotations

import math
from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record
from lens.runs.settings import Settings

SHAPE = (24, 4, 8)  # steps, groups, rollouts


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """`style` is `dose` of the variance inside groups and `answer` the rest; `prompt` is paid as much as both, and is
    the same for all rollouts of a group."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, size = SHAPE
    style, answer = rng.standard_normal((2, steps * groups * size))
    prompt = np.repeat(rng.standard_normal(steps * groups), size)
    weights = {"style": math.sqrt(dose), "answer": math.sqrt(1 - dose), "prompt": 1.0}
    reward = weights["style"] * style + weights["answer"] * answer + prompt
    columns = {"score.style": style, "score.answer": answer, "score.prompt": prompt, "reward": reward}
    flat = {name: column.tolist() for name, column in columns.items()}
    record = rolled(folder, SHAPE, flat, Settings(weights=weights))
    return Made(record, {"dose": dose, "decoy": "prompt"})


FAMILY = Family(
    "leaf",
    "A leaf that decides part of the reward",
    "of the variance in groups",
    (0.0, 0.05, 0.1, 0.3, 0.6),
    plant,
    (__name__, "lens.runs.planted._records"),
)
