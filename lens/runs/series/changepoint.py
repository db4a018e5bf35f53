"""The one step at which a series' mean moved most, looking back over all of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lens.runs.series.logistic import aicc

if TYPE_CHECKING:
    import numpy as np

LEAST = 16  # points
EDGE = 4  # points on either side, at least


class Change(NamedTuple):
    """`at` is the index of the first point after it; `over` by how much two means beat one, in AICc."""

    at: int
    before: float
    after: float
    over: float


def changepoint(values: np.ndarray) -> Change:
    """Least squares over every place that leaves EDGE points on either side.

    >>> import numpy as np
    >>> found = changepoint(np.r_[np.zeros(10), np.ones(20)] + np.tile([0.1, -0.1], 15))
    >>> found.at, round(found.after - found.before, 6)
    (10, 1.0)
    """
    import numpy as np

    size = len(values)
    sums, squares = np.cumsum(values), np.cumsum(values**2)
    at = np.arange(EDGE, size - EDGE + 1)
    left, right = sums[at - 1], sums[-1] - sums[at - 1]
    rest = squares[-1] - left**2 / at - right**2 / (size - at)
    best = int(at[np.argmin(rest)])
    before, after = values[:best], values[best:]
    two = float(((before - before.mean()) ** 2).sum() + ((after - after.mean()) ** 2).sum())
    one = float(((values - values.mean()) ** 2).sum())
    over = aicc(one, size, 2) - aicc(two, size, 4) if one > 0 else 0.0
    return Change(best, float(before.mean()), float(after.mean()), over)


def places(values: np.ndarray, found: Change, *, block: int, draws: int, seed: int) -> list[int]:
    """Where it falls on the two means plus moving blocks of their residuals."""
    import numpy as np

    size, rng = len(values), np.random.default_rng(seed)
    fitted = np.r_[np.full(found.at, found.before), np.full(size - found.at, found.after)]
    residuals = values - fitted
    drawn = []
    for _ in range(draws):
        starts = rng.integers(0, size - block + 1, -(-size // block))
        drawn.append(changepoint(fitted + residuals[(starts[:, None] + np.arange(block)).ravel()[:size]]).at)
    return drawn
