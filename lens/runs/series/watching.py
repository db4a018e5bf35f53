"""Running a detector over series, many at once: units of the baseline in, alarms out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lens.runs.detectors import Detector

if TYPE_CHECKING:
    import numpy as np

NEVER = -1  # in place of an alarm's index


class Watched(NamedTuple):
    """`alarms` [series] indices of first alarms, NEVER where there is none; `statistic` [series, steps] in thresholds.

    The first entry of a difference is of the second step: `statistic` has one step less there, `alarms` count steps.
    """

    alarms: np.ndarray
    statistic: np.ndarray


def standardised(values: np.ndarray, baseline: int) -> np.ndarray:
    """(x − mean) / sd of each series [series, steps], by its own first `baseline` points (sd with ddof 0).

    A series without spread there stays at 0: no departure can be told.
    """
    import numpy as np

    mean = values[:, :baseline].mean(axis=1, keepdims=True)
    sd = values[:, :baseline].std(axis=1, keepdims=True)
    return np.where(sd > 0, (values - mean) / np.where(sd > 0, sd, 1.0), 0.0)


def first_above(statistic: np.ndarray, threshold: float) -> np.ndarray:
    """Index of each series' first value above the threshold, NEVER where there is none.

    >>> import numpy as np
    >>> first_above(np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 1.0]]), 1.5).tolist()
    [1, -1]
    """
    import numpy as np

    above = statistic > threshold
    return np.where(above.any(axis=1), above.argmax(axis=1), NEVER)


def read_by(detector: Detector, values: np.ndarray) -> np.ndarray:
    """What the detector reads of levels [series, steps]: them, or their backward differences, one step less."""
    import numpy as np

    return np.diff(values, axis=1) if detector.differences else values


def watch(detector: Detector, read: np.ndarray, baseline: int) -> Watched:
    """Alarms of a detector on what it reads [series, steps] (see `read_by`), after the first `baseline` steps."""
    lost = int(detector.differences)
    statistic = detector.statistic(standardised(read, baseline - lost), baseline - lost)
    alarms = first_above(statistic, detector.threshold)
    alarms[alarms != NEVER] += lost
    return Watched(alarms, statistic / detector.threshold)
