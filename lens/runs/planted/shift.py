"""A series whose mean shifts at a planted step, in its own standard deviations."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import logged
from lens.runs.record import Record

STEPS, BASELINE, ONSET = 180, 60, 120


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """`reward` is independent Gaussian noise of variance 1, `dose` higher from the onset on. `entropy`, drawn apart,
    leaves its level at that one step alone, by as much: a blip, and no shift."""
    import numpy as np

    rng = np.random.default_rng(seed)
    shifted, blip = rng.standard_normal((2, STEPS))
    shifted[ONSET:] += dose
    blip[ONSET] += dose
    record = logged(folder, {"reward": shifted.tolist(), "entropy": blip.tolist()})
    return Made(record, {"dose": dose, "onset": ONSET if dose else None, "decoy": "entropy"})


FAMILY = Family(
    "shift",
    "A mean that shifts",
    "baseline standard deviations",
    (0.0, 0.5, 1.0, 2.0, 4.0),
    plant,
    (__name__, "lens.runs.planted._records"),
)
