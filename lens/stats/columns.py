"""Intervals of many means at once: one column a place of a network, rows drawn in clusters (trust conventions, A6)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from lens.stats.clusters import BOOTSTRAPPED, LEAST, grouped

_AT_ONCE = 2**22  # numbers held at once


class Ends(NamedTuple):
    """Lower and upper ends, one a column, and the method that made them."""

    low: list[float]
    high: list[float]
    method: str


def intervals_of(
    values: Any, clusters: Sequence[Hashable], *, seed: int, draws: int = 2000, level: float = 0.95
) -> Ends | None:
    """Interval of the mean of every column of `values` [rows, columns]; None under 8 clusters.

    The same as `lens.stats.clusters.interval_of` on each column; columns share their redraws.

    >>> import numpy as np
    >>> ends = intervals_of(np.arange(40.0)[:, None] * [1, 2], range(40), seed=0)
    >>> [round(one, 1) for one in ends.low], ends.method
    ([15.8, 31.6], 'bca')
    """
    import numpy as np

    rows, groups = np.asarray(values, float), grouped(clusters)
    if len(groups) < LEAST:
        return None
    sums = np.array([rows[group].sum(axis=0) for group in groups])
    sizes = np.array([len(group) for group in groups], float)
    if len(groups) < BOOTSTRAPPED:
        from scipy.stats import t

        means = sums / sizes[:, None]
        half = t.ppf(0.5 + level / 2, len(groups) - 1) * means.std(axis=0, ddof=1) / np.sqrt(len(groups))
        centre = means.mean(axis=0)
        return Ends((centre - half).tolist(), (centre + half).tolist(), "t-over-clusters")
    width = max(1, _AT_ONCE // draws)
    parts = [_bca(sums[:, at : at + width], sizes, seed, draws, level) for at in range(0, sums.shape[1], width)]
    low, high = (np.concatenate(side).tolist() for side in zip(*parts, strict=True))
    return Ends(low, high, "bca")


def _bca(sums: Any, sizes: Any, seed: int, draws: int, level: float) -> tuple[Any, Any]:
    """Efron 1987, as `lens.stats.bca`, for the ratio Σ sums / Σ sizes of every column."""
    import numpy as np
    from scipy.special import ndtr, ndtri

    count = len(sums)
    picks = np.random.default_rng(seed).integers(0, count, (draws, count))
    weights = np.zeros((draws, count))
    np.add.at(weights, (np.arange(draws)[:, None], picks), 1.0)
    redrawn = np.sort((weights @ sums) / (weights @ sizes)[:, None], axis=0)
    found = sums.sum(axis=0) / sizes.sum()
    near = np.isclose(redrawn, found, rtol=1e-12, atol=0.0)
    below = ((redrawn < found) & ~near).sum(axis=0) / draws + 0.5 * near.mean(axis=0)
    bias = ndtri(np.clip(below, 0.5 / draws, 1 - 0.5 / draws))
    without = (sums.sum(axis=0) - sums) / (sizes.sum() - sizes)[:, None]
    away = without.mean(axis=0) - without
    spread = (away**2).sum(axis=0) ** 1.5
    skew = np.divide((away**3).sum(axis=0), 6 * spread, out=np.zeros_like(spread), where=spread > 0)
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + ndtri(tail)
        at = ndtr(bias + z / (1 - skew * z)) * (draws - 1)
        floor = np.floor(at).astype(int)
        above = np.minimum(floor + 1, draws - 1)
        columns = np.arange(sums.shape[1])
        lower, upper = redrawn[floor, columns], redrawn[above, columns]
        ends.append(lower + (upper - lower) * (at - floor))
    return np.minimum(*ends), np.maximum(*ends)
