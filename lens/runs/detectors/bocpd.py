"""Bayesian online changepoint detection: the probability that the mean moved within the last steps."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from lens.runs.detectors import Detector

if TYPE_CHECKING:
    import numpy as np

HAZARD = 1 / 1000  # of a change, a step
SPREAD = 2.0  # baseline sd of the mean after a change
LONGEST = 100  # steps since a change; longer ones share one hypothesis
RECENT = 50  # steps within which a change counts as new


def bocpd(z: np.ndarray, start: int) -> np.ndarray:
    """P(a change within the last RECENT steps and since `start` | what came so far) [series, steps]; 0 before `start`.

    Gaussian of unit variance; the mean is drawn anew from N(0, SPREAD²) at every change.
    """
    import numpy as np

    found = np.zeros(z.shape)
    precision = SPREAD**-2 + np.arange(LONGEST + 1.0)
    variance = 1.0 + 1.0 / precision
    weight = np.full((len(z), LONGEST + 1), -np.inf)  # log, by steps since the last change
    weight[:, 0] = 0.0
    mean = np.zeros(weight.shape)
    for step in range(z.shape[1]):
        x = z[:, step : step + 1]
        seen = weight - 0.5 * (x - mean) ** 2 / variance - 0.5 * np.log(variance)
        seen = seen - np.logaddexp.reduce(seen, axis=1, keepdims=True) + math.log1p(-HAZARD)
        learnt = (mean * precision + x) / (precision + 1)
        weight[:, 1:], weight[:, 0] = seen[:, :-1], math.log(HAZARD)
        mean[:, 1:], mean[:, 0] = learnt[:, :-1], 0.0
        _join_oldest(weight, mean, seen[:, -1], learnt[:, -1])
        if step >= start:  # a change of the baseline's own is none: the last possible one is as old as its end
            found[:, step] = np.exp(weight[:, : min(RECENT, step - start + 2)]).sum(axis=1)
    return found


def _join_oldest(weight: np.ndarray, mean: np.ndarray, log_weight: np.ndarray, value: np.ndarray) -> None:
    """Add a hypothesis to the oldest, in place, its mean by weight."""
    import numpy as np

    both = np.logaddexp(weight[:, -1], log_weight)
    with np.errstate(invalid="ignore"):
        share = np.nan_to_num(np.exp(log_weight - both))
    mean[:, -1] = mean[:, -1] * (1 - share) + value * share
    weight[:, -1] = both


DETECTOR = Detector(
    name="bocpd",
    title="BOCPD",
    about="the probability that the mean moved within the last fifty steps",
    threshold=0.22,
    statistic=bocpd,
    source="Adams and MacKay 2007; threshold by simulation",
    order=50,
)
