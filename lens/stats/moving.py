"""Moving-block bootstrap of a series: neighbours stay together, so what one step owes the last is kept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lens.reading import Interval

if TYPE_CHECKING:
    import numpy as np

BLOCK = 8
LEAST = 4 * BLOCK  # points of a series that has an interval


def moving_blocks(
    values: Sequence[float],
    statistic: Callable[[np.ndarray], np.ndarray],
    *,
    seed: int,
    draws: int,
    block: int = BLOCK,
    level: float = 0.95,
) -> Interval | None:
    """Percentile interval of `statistic`, which takes series [draws, n] and gives a value each (Künsch 1989).

    None under four blocks of points.

    >>> import numpy as np
    >>> moving_blocks([1.0] * 31, lambda some: np.median(some, axis=1), seed=0, draws=20) is None
    True
    >>> found = moving_blocks(list(range(64)), lambda some: np.median(some, axis=1), seed=0, draws=200)
    >>> found.low < 31.5 < found.high
    True
    """
    import numpy as np

    series = np.asarray(values, float)
    if len(series) < 4 * block:
        return None
    starts = np.random.default_rng(seed).integers(0, len(series) - block + 1, (draws, -(-len(series) // block)))
    picks = (starts[:, :, None] + np.arange(block)).reshape(draws, -1)[:, : len(series)]
    low, high = np.quantile(statistic(series[picks]), [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), "moving-block-bootstrap", level)
