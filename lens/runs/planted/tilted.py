"""Advantages of a reward of which one leaf is a planted share: without the leaf, a known share would change sign."""

from __future__ import annotations

import math
from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.planted.departure import advantages
from lens.runs.record import Record
from lens.runs.settings import Settings

SHAPE = (24, 4, 8)  # steps, groups, rollouts


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """`style` is `dose` of the variance inside groups and `answer` the rest, both Gaussian, so that the distance from
    the group's mean and the same without `style` have a correlation of √(1 - dose), and other signs on arccos of that,
    over π, of all rollouts. `prompt` is paid as much, and alike inside a group: without it no sign changes."""
    import numpy as np

    rng = np.random.default_rng(seed)
    steps, groups, _ = SHAPE
    style, answer = rng.standard_normal((2, *SHAPE))
    prompt = np.broadcast_to(rng.standard_normal((steps, groups, 1)), SHAPE)
    weights = {"style": math.sqrt(dose), "answer": math.sqrt(1 - dose), "prompt": 1.0}
    reward = weights["style"] * style + weights["answer"] * answer + prompt
    columns = {
        "score.style": style, "score.answer": answer, "score.prompt": prompt, "reward": reward,
        "advantage": advantages("group", reward),
    }  # fmt: skip
    flat = {name: column.ravel().tolist() for name, column in columns.items()}
    record = rolled(folder, SHAPE, flat, Settings(weights=weights))
    return Made(record, {"dose": dose, "flips": math.acos(math.sqrt(1 - dose)) / math.pi, "decoy": "drop-prompt"})


FAMILY = Family(
    "tilted",
    "A leaf that decides who is pushed",
    "of the variance in groups",
    (0.0, 0.05, 0.1, 0.3, 0.6),
    plant,
    (__name__, "lens.runs.planted._records", "lens.runs.planted.departure"),
)
