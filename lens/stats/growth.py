"""How a time grows with size: the slope of log time on log size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lens.reading import Interval


class Growth(NamedTuple):
    """`exponent` b in time ∝ size^b, with its Student-t interval from the residuals of the fit."""

    exponent: float
    interval: Interval


def growth(sizes: Sequence[float], seconds: Sequence[float], *, level: float = 0.95) -> Growth:
    """Least squares of log seconds on log sizes. Raises ValueError under 4 points: decline there.

    >>> round(growth([1, 2, 4, 8], [3, 12, 48, 192]).exponent, 6)
    2.0
    """
    import numpy as np
    from scipy import stats

    if len(sizes) < 4:
        raise ValueError(f"{len(sizes)} sizes: under 4 an exponent is declined")
    x, y = np.log(sizes), np.log(seconds)
    spread = ((x - x.mean()) ** 2).sum()
    slope = float(((x - x.mean()) * y).sum() / spread)
    left = y - y.mean() - slope * (x - x.mean())
    error = float(np.sqrt((left**2).sum() / (len(x) - 2) / spread))
    half = float(stats.t.ppf(0.5 + level / 2, len(x) - 2)) * error
    return Growth(slope, Interval(slope - half, slope + half, "ols-t", level))
