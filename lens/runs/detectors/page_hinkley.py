"""Page–Hinkley: how far the sum of departures from the running mean has come from its extreme."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.runs.detectors import Detector

if TYPE_CHECKING:
    import numpy as np

ALLOWANCE = 0.25  # baseline sd a step that is let pass


def page_hinkley(z: np.ndarray, start: int) -> np.ndarray:
    """Two-sided, [series, steps]; the mean runs over every step so far, the sum from step `start` on."""
    import numpy as np

    found = np.zeros(z.shape)
    total = z[:, :start].sum(axis=1)
    up = down = np.zeros(len(z))
    for step in range(start, z.shape[1]):
        total = total + z[:, step]
        away = z[:, step] - total / (step + 1)
        up = np.maximum(0.0, up + away - ALLOWANCE)
        down = np.maximum(0.0, down - away - ALLOWANCE)
        found[:, step] = np.maximum(up, down)
    return found


DETECTOR = Detector(
    name="page-hinkley",
    title="Page–Hinkley",
    about="departures from the mean so far, which itself moves",
    threshold=9.91,
    statistic=page_hinkley,
    source="Page 1954; Hinkley 1971; threshold by simulation",
    order=30,
)
