"""A ratio of sums over clusters (trust conventions, A5): Fieller's interval from 8 clusters, BCa from 20."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from lens.reading import Interval
from lens.stats.clusters import BOOTSTRAPPED, LEAST, grouped, mean_of_sums, over_sums


class Ratio(NamedTuple):
    """Σ top / Σ bottom. `interval` is None where the denominator's interval holds 0, or under 8 clusters."""

    value: float
    interval: Interval | None


def ratio_of(
    tops: Sequence[float],
    bottoms: Sequence[float],
    clusters: Sequence[Hashable],
    *,
    seed: int,
    draws: int = 2000,
    level: float = 0.95,
) -> Ratio:
    """Σ tops / Σ bottoms, both drawn in `clusters`. NaN where the bottoms add to 0.

    >>> ratio_of([1.0, 2.0, 3.0] * 4, [2.0, 4.0, 6.0] * 4, range(12), seed=0).value
    0.5
    """
    import numpy as np

    groups = grouped(clusters)
    pairs = np.array([(np.sum(np.take(tops, group)), np.sum(np.take(bottoms, group))) for group in groups], float)
    total = pairs[:, 1].sum()
    value = float(pairs[:, 0].sum() / total) if total else float("nan")
    if len(groups) < LEAST or not total:
        return Ratio(value, None)
    fieller = _fieller(pairs, level)
    if fieller is None or len(groups) < BOOTSTRAPPED:
        return Ratio(value, fieller)
    return Ratio(value, over_sums(pairs.tolist(), mean_of_sums, seed=seed, draws=draws, level=level))


def _fieller(pairs: object, level: float) -> Interval | None:
    """Fieller 1954 on the clusters' sums; None where the denominator isn't told from 0."""
    import numpy as np
    from scipy.stats import t

    sums = np.asarray(pairs, float)
    n = len(sums)
    top, bottom = sums.mean(axis=0)
    cov = np.cov(sums.T, ddof=1) / n
    q = float(t.ppf(0.5 + level / 2, n - 1)) ** 2
    a = bottom**2 - q * cov[1, 1]
    if a <= 0:
        return None
    b = top * bottom - q * cov[0, 1]
    c = top**2 - q * cov[0, 0]
    root = float(np.sqrt(max(0.0, b * b - a * c)))
    return Interval(float((b - root) / a), float((b + root) / a), "fieller", level)
