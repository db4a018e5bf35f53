"""Two-sided CUSUM: the sum of what exceeds half a standard deviation, restarted at zero whenever it falls below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.runs.detectors import Detector

if TYPE_CHECKING:
    import numpy as np

ALLOWANCE = 0.5  # baseline sd a step that is let pass
THRESHOLD = 5.7496


def cusum(z: np.ndarray, start: int, allowance: float = ALLOWANCE) -> np.ndarray:
    """max(S⁺, S⁻) [series, steps], summed from step `start` on; 0 before it.

    >>> import numpy as np
    >>> cusum(np.array([[9.0, 1.0, 1.5, -3.0]]), 1).tolist()
    [[0.0, 0.5, 1.5, 2.5]]
    """
    import numpy as np

    found = np.zeros(z.shape)
    up = down = np.zeros(len(z))
    for step in range(start, z.shape[1]):
        up = np.maximum(0.0, up + z[:, step] - allowance)
        down = np.maximum(0.0, down - z[:, step] - allowance)
        found[:, step] = np.maximum(up, down)
    return found


DETECTOR = Detector(
    name="cusum",
    title="CUSUM",
    about="sums what exceeds half a baseline deviation, either way",
    threshold=THRESHOLD,
    statistic=cusum,
    source="Page 1954; threshold by Siegmund's approximation for two sides",
    order=10,
)
