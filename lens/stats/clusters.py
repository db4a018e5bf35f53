"""The rule for intervals over clusters (trust conventions, A6): the unit that was drawn decides.

Under 8 clusters there is no interval; from 8 to 19 a t interval of the cluster means, for a mean alone; from 20 on BCa.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

from lens.reading import Interval

if TYPE_CHECKING:
    import numpy as np

LEAST = 8
BOOTSTRAPPED = 20


def interval_of(
    values: Sequence[Any],
    clusters: Sequence[Hashable],
    statistic: Callable[[np.ndarray], float] | None = None,
    *,
    seed: int,
    draws: int = 2000,
    level: float = 0.95,
) -> Interval | None:
    """Interval of a statistic of `values` (numbers, or rows of numbers), drawn in `clusters`; None where there is none.

    `statistic` takes an array of values, clusters after one another; without one it is the mean over values. NaN from
    it means undefined. `over_sums` is faster for functions of sums.

    >>> interval_of([1.0] * 7, range(7), seed=0) is None
    True
    >>> interval_of([0.0, 2.0] * 6, range(12), seed=0).method
    't-over-clusters'
    >>> interval_of([0.0, 2.0] * 12, [i // 4 for i in range(24)], seed=0) is None
    True
    """
    import numpy as np

    rows, groups = np.asarray(values, float), grouped(clusters)
    if statistic is None:
        sums = [(float(rows[group].sum()), len(group)) for group in groups]
        return over_sums(sums, mean_of_sums, seed=seed, draws=draws, level=level, mean=True)
    if len(groups) < BOOTSTRAPPED:
        return None
    from lens.stats.bca import bca

    def redrawn(picks: np.ndarray) -> np.ndarray:
        return np.array([statistic(rows[np.concatenate([groups[i] for i in some])]) for some in picks])

    return bca(len(groups), redrawn, seed=seed, draws=draws, level=level)


def over_sums(
    sums: Sequence[Sequence[float]],
    function: Callable[[np.ndarray], np.ndarray],
    *,
    seed: int,
    draws: int = 2000,
    level: float = 0.95,
    mean: bool = False,
) -> Interval | None:
    """Interval of `function` of sums over clusters: `sums[cluster]` is its part of each sum.

    `function` takes the sums, shape (redraws, sums), and gives a value a redraw, NaN where undefined. `mean` says that
    it is a mean, which has a t interval from 8 clusters on.
    """
    import numpy as np

    parts = np.asarray(sums, float)
    if len(parts) < LEAST or (len(parts) < BOOTSTRAPPED and not mean):
        return None
    with np.errstate(divide="ignore", invalid="ignore"):
        if len(parts) < BOOTSTRAPPED:
            from lens.stats.t_interval import t_interval

            return t_interval([float(one) for one in function(parts)], level=level)
        from lens.stats.bca import bca

        def redrawn(picks: np.ndarray) -> np.ndarray:
            return function(parts[picks].sum(axis=1))

        without = function(parts.sum(axis=0) - parts)
        return bca(len(parts), redrawn, seed=seed, draws=draws, level=level, left_out=without)


def over_sums_each(
    sums: np.ndarray, function: Callable[[np.ndarray], np.ndarray], *, seed: int, draws: int = 2000, level: float = 0.95
) -> list[Interval | None]:
    """Intervals of the K values that `function` makes of sums over clusters [C, m]: all share their redraws.

    `function` takes sums [redraws, m] and gives [redraws, K]. Under 20 clusters there are none.
    """
    import numpy as np

    from lens.stats.bca import from_redraws

    count, total = len(sums), sums.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        found = function(total[None])[0]
        if count < BOOTSTRAPPED:
            return [None] * len(found)
        rng = np.random.default_rng(seed)
        times = np.stack([np.bincount(rng.integers(0, count, count), minlength=count) for _ in range(draws)])
        redrawn, without = function(times.astype(float) @ sums), function(total - sums)
    return [from_redraws(float(found[k]), redrawn[:, k], without[:, k], level=level) for k in range(len(found))]


def mean_of_sums(sums: np.ndarray) -> np.ndarray:
    """Σ values / Σ counts, from the sums (value, count) in the last axis."""
    return sums[..., 0] / sums[..., 1]  # type: ignore[no-any-return]


def grouped(clusters: Sequence[Hashable]) -> list[np.ndarray]:
    """The places of every cluster's members, clusters in the order of their first."""
    import numpy as np

    places: dict[Hashable, list[int]] = {}
    for at, cluster in enumerate(clusters):
        places.setdefault(cluster, []).append(at)
    return [np.array(some) for some in places.values()]
