"""e-detector of Shiryaev–Roberts kind: evidence against "still as in the baseline", summed over when it began."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lens.runs.detectors import ARL, Detector

if TYPE_CHECKING:
    import numpy as np

SHIFTS = (-1.0, -0.5, -0.25, 0.25, 0.5, 1.0)  # baseline sd, in equal parts


def e_detector(z: np.ndarray, start: int) -> np.ndarray:
    """log of the e-detector [series, steps], from step `start` on; -inf before it.

    M(t) = mean over shifts λ of (1 + M_λ(t−1)) exp(λz − λ²/2). Where z is 1-sub-Gaussian around 0, given the past,
    crossing log(1/α) happens no more often than once in 1/α steps, whatever the dependence.
    """
    import numpy as np

    found = np.full(z.shape, -np.inf)
    shifts = np.array(SHIFTS)
    logs = np.full((len(z), len(shifts)), -np.inf)
    for step in range(start, z.shape[1]):
        logs = np.logaddexp(0.0, logs) + shifts * z[:, step : step + 1] - shifts**2 / 2
        found[:, step] = np.logaddexp.reduce(logs, axis=1) - math.log(len(shifts))
    return found


DETECTOR = Detector(
    name="e-detector",
    title="e-detector",
    about="evidence that the baseline no longer holds, whenever it stopped",
    threshold=math.log(ARL),
    statistic=e_detector,
    source="Shin, Ramdas and Rinaldo 2023; its rate is a bound, not a fit",
    order=60,
)
