"""A series that rises along a logistic with a planted midpoint, so many standard deviations of its noise high."""

from __future__ import annotations

from pathlib import Path

from lens.planted import Family, Made
from lens.runs.planted._records import logged
from lens.runs.record import Record
from lens.runs.series.logistic import WIDTHS, curve

STEPS, WIDTH = 120, 24
MIDDLE = (45.0, 75.0)  # between which midpoints are drawn


def plant(folder: Path, dose: float, seed: int) -> Made[Record]:
    """`reward` rises by `dose`, from a tenth of it to nine tenths in `WIDTH` steps, under independent Gaussian noise of
    variance 1. `length` rises as much along a straight line: a trend, and no transition."""
    import numpy as np

    rng = np.random.default_rng(seed)
    midpoint = float(rng.uniform(*MIDDLE))
    steps = np.arange(STEPS, dtype=float)
    noise, other = rng.standard_normal((2, STEPS))
    risen = curve(steps, 0.0, dose, midpoint, WIDTH / WIDTHS) + noise
    line = dose * steps / (STEPS - 1) + other
    record = logged(folder, {"reward": risen.tolist(), "length": line.tolist()})
    return Made(record, {"dose": dose, "midpoint": midpoint, "decoy": "length"})


FAMILY = Family(
    "rise",
    "A rise from one level to another",
    "standard deviations of the noise",
    (0.0, 1.0, 2.0, 4.0, 8.0),
    plant,
    (__name__, "lens.runs.planted._records", "lens.runs.series.logistic"),
)
