"""Bayesian online changepoint detection: the probability that the mean moved within the last steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.runs.detectors import Detector

if TYPE_CHECKING:
    import numpy as np

HAZARD = 1 / 1000  # of a change, a step
SPREAD = 2.0  # baseline sd of the mean after a change
LONGEST = 100  # steps since a change; longer ones share one hypothesis
RECENT = 50  # steps within which a change counts as new
_LEAST = 1e-300  # of a hypothesis, so that a later step can bring it back


def bocpd(z: np.ndarray, start: int) -> np.ndarray:
    """P(a change within the last RECENT steps and since `start` | what came so far) [series, steps]; 0 before `start`.

    Gaussian of unit variance; the mean is drawn anew from N(0, SPREAD²) at every change.
    """
    import numpy as np

    found = np.zeros(z.shape)
    precision = SPREAD**-2 + np.arange(LONGEST + 1.0)
    variance = 1.0 + 1.0 / precision
    scale, half = np.log(variance) / 2, -0.5 / variance
    weight = np.zeros((len(z), LONGEST + 1))  # by steps since the last change
    weight[:, 0] = 1.0
    mean = np.zeros(weight.shape)
    for step in range(z.shape[1]):
        many = min(step, LONGEST) + 1  # hypotheses there are
        x, before = z[:, step : step + 1], mean[:, :many]
        log = half[:many] * (x - before) ** 2 - scale[:many]
        seen = np.maximum(weight[:, :many], _LEAST) * np.exp(log - log.max(axis=1, keepdims=True))
        seen *= (1.0 - HAZARD) / seen.sum(axis=1, keepdims=True)
        learnt = (before * precision[:many] + x) / (precision[:many] + 1.0)
        if many > LONGEST:
            seen, learnt = _oldest_joined(seen, learnt)
        older = seen.shape[1] + 1
        weight[:, 1:older], weight[:, 0] = seen, HAZARD
        mean[:, 1:older], mean[:, 0] = learnt, 0.0
        if step >= start:  # a change of the baseline's own is none: the last possible one is as old as its end
            found[:, step] = weight[:, : min(RECENT, step - start + 2)].sum(axis=1)
    return found


def _oldest_joined(weight: np.ndarray, mean: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two oldest hypotheses as one, its mean by weight."""
    import numpy as np

    both = np.maximum(weight[:, -2] + weight[:, -1], _LEAST)
    mean[:, -2] = (weight[:, -2] * mean[:, -2] + weight[:, -1] * mean[:, -1]) / both
    weight[:, -2] = both
    return weight[:, :-1], mean[:, :-1]


DETECTOR = Detector(
    name="bocpd",
    title="BOCPD",
    about="the probability that the mean moved within the last fifty steps",
    threshold=0.22,
    statistic=bocpd,
    source="Adams and MacKay 2007; threshold by simulation",
    order=50,
)
