"""Area under the ROC curve of two groups, with its interval over the units that were drawn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.reading import Interval

if TYPE_CHECKING:
    import numpy as np


class Auc(NamedTuple):
    value: float
    interval: Interval


def auc(positive: Sequence[float], negative: Sequence[float], *, seed: int, draws: int = 2000) -> Auc:
    """P(positive > negative), ties halved; percentile bootstrap, either group redrawn on its own.

    Groups that don't overlap have nothing to redraw, and the interval is the point 1 (or 0). Raises ValueError for an
    empty group or NaN.

    >>> auc([2.0, 3.0], [1.0, 2.0], seed=0).value
    0.875
    """
    import numpy as np

    high, low = np.asarray(positive, float), np.asarray(negative, float)
    if not len(high) or not len(low) or np.isnan(high).any() or np.isnan(low).any():
        raise ValueError("an AUC is read of two groups with a number each")
    wins = (high[:, None] > low[None, :]) + 0.5 * (high[:, None] == low[None, :])
    draw = np.random.default_rng(seed)
    rows = _weights(draw.integers(0, len(high), (draws, len(high))), len(high))
    columns = _weights(draw.integers(0, len(low), (draws, len(low))), len(low))
    redrawn = np.einsum("di,ij,dj->d", rows, wins, columns, optimize=True)
    ends = np.clip(np.quantile(redrawn, [0.025, 0.975]), 0.0, 1.0)  # weights of a redraw sum to 1 but for rounding
    ends = ends.round(12)
    return Auc(float(wins.mean()), Interval(float(ends[0]), float(ends[1]), "bootstrap", 0.95))


def _weights(picks: np.ndarray, count: int) -> np.ndarray:
    """[draws, count]: the share of each redraw that is each unit."""
    import numpy as np

    counts = np.stack([np.bincount(row, minlength=count) for row in picks])
    return np.asarray(counts / picks.shape[1])
