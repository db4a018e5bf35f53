"""Pearson's and Spearman's correlation, ties by their mean rank."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def pearson(x: Sequence[float], y: Sequence[float]) -> float:
    """Pearson's r; NaN where either side doesn't vary.

    >>> round(pearson([1, 2, 3], [2, 4, 7]), 4)
    0.9934
    """
    import numpy as np

    a, b = np.asarray(x, float), np.asarray(y, float)
    if len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0:
        return float("nan")
    a, b = a - a.mean(), b - b.mean()
    return float(np.clip((a / np.linalg.norm(a)) @ (b / np.linalg.norm(b)), -1.0, 1.0))


def spearman(x: Sequence[float], y: Sequence[float]) -> float:
    """Spearman's rho: Pearson's r of the ranks, tied values at their mean rank; NaN where either side doesn't vary.

    >>> spearman([1, 2, 2, 4], [1, 8, 8, 9])
    1.0
    """
    from scipy.stats import rankdata

    return pearson(rankdata(x), rankdata(y))


def spearman_each(x: Any, y: Any) -> Any:
    """Spearman's rho of every row of two arrays of one shape (rows, n); NaN where a side doesn't vary."""
    import numpy as np
    from scipy.stats import rankdata

    a, b = (ranks - ranks.mean(axis=1, keepdims=True) for ranks in (rankdata(x, axis=1), rankdata(y, axis=1)))
    with np.errstate(divide="ignore", invalid="ignore"):
        return (a * b).sum(axis=1) / np.sqrt((a**2).sum(axis=1) * (b**2).sum(axis=1))
