"""The null of a paired effect: had either side been the other, unit by unit as they were drawn (conventions, A3)."""

from __future__ import annotations

from collections.abc import Sequence

SWAPS = 2000


def swapped(means: Sequence[float], *, seed: int, level: float = 0.95) -> float:
    """The `level` quantile of |mean| when each cluster's effect is as likely to have the other sign.

    >>> 0.3 < swapped([1.0] * 20, seed=0) < 0.5
    True
    """
    import numpy as np

    signs = np.random.default_rng(seed).choice([-1.0, 1.0], (SWAPS, len(means)))
    return float(np.quantile(np.abs(signs @ np.asarray(means, float)) / len(means), level))
