"""Exponentially weighted mean in its own standard deviations, which grow from the first step to their limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.runs.detectors import Detector

if TYPE_CHECKING:
    import numpy as np

WEIGHT = 0.2  # of the newest step


def ewma(z: np.ndarray, start: int) -> np.ndarray:
    """|weighted mean| / its sd [series, steps], from step `start` on; 0 before it."""
    import numpy as np

    found = np.zeros(z.shape)
    mean = np.zeros(len(z))
    for step in range(start, z.shape[1]):
        mean = (1 - WEIGHT) * mean + WEIGHT * z[:, step]
        variance = WEIGHT / (2 - WEIGHT) * (1 - (1 - WEIGHT) ** (2 * (step - start + 1)))
        found[:, step] = np.abs(mean) / variance**0.5
    return found


DETECTOR = Detector(
    name="ewma",
    title="EWMA",
    about="a weighted mean of recent steps, against its own spread",
    threshold=3.19,
    statistic=ewma,
    source="Roberts 1959; threshold by simulation",
    order=20,
)
