"""Equivalence by two one-sided tests (Schuirmann 1987): "about zero" is shown, never concluded from a failed test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Equivalence(NamedTuple):
    """`p` of the worse of the two one-sided tests; `low` and `high` are the 1 − 2·alpha interval it answers to."""

    p: float
    low: float
    high: float
    equivalent: bool


def tost(means: Sequence[float], margin: float, *, alpha: float = 0.05) -> Equivalence:
    """Whether the mean of `means`, one a cluster, lies within ±`margin` of zero, by t tests.

    Raises ValueError for a margin that isn't above zero, and for fewer than 2 clusters.

    >>> tost([0.1, -0.1, 0.05, -0.05, 0.0, 0.02, -0.02, 0.0], 0.2).equivalent
    True
    >>> tost([0.1, 0.3, 0.2, 0.4], 0.2).equivalent
    False
    """
    import numpy as np
    from scipy import stats

    if margin <= 0 or len(means) < 2:
        raise ValueError(f"a margin above 0 and at least 2 clusters, got {margin} and {len(means)}")
    values = np.asarray(means, float)
    error, free = float(values.std(ddof=1) / np.sqrt(len(values))), len(values) - 1
    centre = float(values.mean())
    if error == 0:
        inside = abs(centre) < margin
        return Equivalence(0.0 if inside else 1.0, centre, centre, inside)
    p = max(stats.t.sf((centre + margin) / error, free), stats.t.cdf((centre - margin) / error, free))
    half = float(stats.t.ppf(1 - alpha, free)) * error
    return Equivalence(float(p), centre - half, centre + half, bool(p < alpha))
