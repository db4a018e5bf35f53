"""Correlations inside a prompt: of two replies' differences, so that what differs between prompts is no part of it."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lens.reading import Interval
from lens.stats.clusters import grouped, over_sums

if TYPE_CHECKING:
    import numpy as np


def correlations(differences: np.ndarray) -> np.ndarray:
    """Σ Δj Δk / √(ΣΔj² ΣΔk²) of differences [P, K] inside prompts: [K, K], NaN where a column never differs.

    >>> import numpy as np
    >>> correlations(np.array([[1.0, -2.0], [2.0, -4.0]])).round(6).tolist()
    [[1.0, -1.0], [-1.0, 1.0]]
    """
    import numpy as np

    products = differences.T @ differences
    size = np.sqrt(np.diag(products))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.clip(products / np.outer(size, size), -1.0, 1.0)  # type: ignore[no-any-return]


def interval_of(
    one: Sequence[float], other: Sequence[float], clusters: Sequence[Hashable], *, seed: int, draws: int
) -> Interval | None:
    """Interval of one entry of `correlations`; None under 20 clusters."""
    sums = [
        [sum(one[i] * other[i] for i in group), sum(one[i] ** 2 for i in group), sum(other[i] ** 2 for i in group)]
        for group in grouped(clusters)
    ]
    return over_sums(sums, _ratio, seed=seed, draws=draws)


def extremes(differences: np.ndarray, clusters: Sequence[Hashable], *, seed: int, draws: int) -> tuple[float, float]:
    """The 5th percentile of the least, and the 95th of the largest, correlation off the diagonal, had every column's
    two sides been in random order in every cluster: what one of many reaches by chance (Westfall and Young 1993)."""
    import numpy as np

    rng = np.random.default_rng(seed)
    groups = grouped(clusters)
    members = np.zeros(len(differences), int)
    for number, group in enumerate(groups):
        members[group] = number
    off = ~np.eye(differences.shape[1], dtype=bool)
    least, most = [], []
    for _ in range(draws):
        signs = rng.choice([-1.0, 1.0], (len(groups), differences.shape[1]))
        found = correlations(differences * signs[members])[off]
        found = found[np.isfinite(found)]
        least.append(float(found.min()))
        most.append(float(found.max()))
    return float(np.quantile(least, 0.05)), float(np.quantile(most, 0.95))


def _ratio(sums: np.ndarray) -> np.ndarray:
    return sums[..., 0] / (sums[..., 1] * sums[..., 2]) ** 0.5  # type: ignore[no-any-return]
