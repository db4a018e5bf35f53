"""Exploits of a few common families and of very many rare ones, which have a planted share of all there is."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import rolled
from lens.runs.record import Record

SHAPE = (15, 10, 10)  # steps, groups, rollouts
EXPLOITS, COMMON = 300, 6
EACH = 0.0005  # of all exploits, what one rare family has


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """An exploit is of a rare family with probability `dose`. The answer key is the chance that the next one is of a
    family not drawn here. Other rollouts are labelled as honest, or not at all: neither is a family."""
    import numpy as np

    rng = np.random.default_rng(seed)
    count, rare = SHAPE[0] * SHAPE[1] * SHAPE[2], round(dose / EACH)
    chance = np.r_[np.full(COMMON, (1 - dose) / COMMON), np.full(rare, EACH)]
    drawn = rng.choice(len(chance), EXPLOITS, p=chance / chance.sum())
    label: list[str | None] = [None if one < 0.5 else "" for one in rng.random(count)]
    for row, family in zip(rng.choice(count, EXPLOITS, replace=False), drawn, strict=True):
        label[row] = f"family {family}"
    unseen = float(np.delete(chance, np.unique(drawn)).sum())
    record = rolled(folder, SHAPE, {"reward": rng.random(count).tolist(), "exploit": label})
    return Made(record, {"dose": dose, "unseen": unseen, "exploits": EXPLOITS})


FAMILY = Family(
    "rare",
    "Exploits of families not seen yet",
    "of exploits, in rare families",
    (0.0, 0.02, 0.05, 0.1, 0.3),
    plant,
    (__name__, "lens.runs.planted._records"),
)
