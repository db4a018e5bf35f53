"""Cluster bootstrap: the unit that was drawn is the unit that is redrawn (trust conventions, A6)."""

from __future__ import annotations

from collections.abc import Sequence

from lens.reading import Interval


def cluster_ratio(
    numerators: Sequence[float], denominators: Sequence[float], *, seed: int, draws: int = 2000, level: float = 0.95
) -> Interval:
    """Percentile interval of Σ numerator / Σ denominator over clusters (one entry of each a cluster).

    Raises ValueError under 8 clusters: decline there. A ratio of exactly 0 or 1 in every cluster
    has no spread to redraw; the caller should give `wilson` over clusters instead.
    """
    import numpy as np

    top, bottom = np.asarray(numerators, float), np.asarray(denominators, float)
    if len(top) < 8:
        raise ValueError(f"{len(top)} clusters: under 8 an interval over clusters is declined")
    picks = np.random.default_rng(seed).integers(0, len(top), (draws, len(top)))
    ratios = top[picks].sum(axis=1) / np.maximum(bottom[picks].sum(axis=1), 1e-300)
    low, high = np.quantile(ratios, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), "cluster-bootstrap", level)
