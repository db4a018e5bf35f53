"""Bias-corrected and accelerated bootstrap over clusters (Efron 1987): the unit that was drawn is redrawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from lens.reading import Interval

if TYPE_CHECKING:
    import numpy as np

_LOST = 0.05  # share of redraws on which a statistic may be undefined
_AT_ONCE = 2**21  # cluster numbers held at once


def bca(
    count: int,
    statistic: Callable[[np.ndarray], Any],
    *,
    seed: int,
    draws: int = 2000,
    level: float = 0.95,
    left_out: np.ndarray | None = None,
) -> Interval | None:
    """Interval of `statistic(picks)` over `count` clusters.

    `statistic` takes an integer array of cluster numbers, shape (redraws, count) or (redraws, count − 1), and returns
    one value a redraw, NaN where it isn't defined. `left_out` are its values without each cluster in turn, where they
    are known by a shorter way. None where the sample has no value, or more than 5 % of the redraws have none. Redraws
    equal to the sample count half towards the bias, so a statistic with few values isn't pushed to one side.

    >>> import numpy as np
    >>> values = np.arange(40.0)
    >>> interval = bca(40, lambda picks: values[picks].mean(axis=1), seed=0)
    >>> round(interval.low, 1), round(interval.high, 1)
    (15.8, 22.9)
    """
    import numpy as np

    if count < 2:
        raise ValueError(f"{count} clusters: nothing to redraw")
    found = float(statistic(np.arange(count)[None, :])[0])
    redrawn = np.concatenate([np.asarray(statistic(picks), float) for picks in _redraws(count, seed, draws)])
    if left_out is None:
        left_out = np.concatenate([np.asarray(statistic(picks), float) for picks in _all_but_one(count)])
    return from_redraws(found, redrawn, left_out, level=level)


def from_redraws(found: float, redrawn: np.ndarray, left_out: np.ndarray, *, level: float = 0.95) -> Interval | None:
    """The interval from a statistic's value, its redraws and its values without each cluster; None as for `bca`."""
    import numpy as np
    from scipy.special import ndtr, ndtri

    draws = len(redrawn)
    kept = np.sort(redrawn[np.isfinite(redrawn)])
    if not np.isfinite(found) or len(kept) < (1 - _LOST) * draws:
        return None
    near = np.isclose(kept, found, rtol=1e-12, atol=0.0)
    below = float((kept < found)[~near].sum() + 0.5 * near.sum()) / len(kept)
    bias = float(ndtri(np.clip(below, 0.5 / draws, 1 - 0.5 / draws)))
    z = ndtri(np.array([(1 - level) / 2, (1 + level) / 2]))
    at = ndtr(bias + (bias + z) / (1 - _acceleration(left_out) * (bias + z)))
    low, high = np.quantile(kept, at)
    return Interval(float(min(low, high)), float(max(low, high)), "bca", level)


def _acceleration(left_out: np.ndarray) -> float:
    """From the jackknife: a sixth of its skewness; 0 where leaving one out changes nothing."""
    import numpy as np

    values = left_out[np.isfinite(left_out)]
    away = values.mean() - values if len(values) else np.zeros(1)
    spread = float((away**2).sum()) ** 1.5
    return float((away**3).sum()) / (6 * spread) if spread > 0 else 0.0


def _redraws(count: int, seed: int, draws: int) -> Iterator[np.ndarray]:
    import numpy as np

    rng, block = np.random.default_rng(seed), max(1, _AT_ONCE // count)
    for start in range(0, draws, block):
        yield rng.integers(0, count, (min(block, draws - start), count))


def _all_but_one(count: int) -> Iterator[np.ndarray]:
    import numpy as np

    others, block = np.arange(count - 1)[None, :], max(1, _AT_ONCE // count)
    for start in range(0, count, block):
        without = np.arange(start, min(start + block, count))[:, None]
        yield others + (others >= without)
