"""Intervals for proportions. Standard library only: graders' cards and the site import this."""

from __future__ import annotations

import math
from statistics import NormalDist

from lens.reading import Interval, Quantity


def wilson(successes: float, n: float, *, level: float = 0.95, population: int | None = None) -> Interval:
    """Wilson score interval for `successes` of `n`.

    With `population` = N the sample was drawn without replacement from N, and n is replaced by
    n(N−1)/(N−n), the size of the infinite-population sample with the same variance; a census (n = N)
    is exact. Source: Wilson 1927; finite-population correction as in Cochran 1977, §2.6.

    >>> interval = wilson(0, 60)
    >>> round(interval.high, 4)
    0.0602
    """
    if n <= 0:
        raise ValueError("no trials: decline instead of an interval")
    share = successes / n
    if population is not None:
        if n >= population:
            return Interval(share, share, "census", level)
        n = n * (population - 1) / (population - n)
    z = NormalDist().inv_cdf(0.5 + level / 2)
    centre = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    low = 0.0 if successes == 0 else max(0.0, centre - half)
    high = 1.0 if share == 1 else min(1.0, centre + half)
    return Interval(low, high, "wilson", level)


def share(k: int, n: int, unit: str, *, n_eff: int | None = None, control: str = "", note: str = "") -> Quantity:
    """`k of n` as a count with the Wilson interval of its share; `n_eff` (unique content) sets the width if smaller."""
    effective = n if n_eff is None else n_eff
    interval = wilson(k / n * effective, effective)
    return Quantity(k, unit=unit, kind="count", of=n, interval=interval, n=n, n_eff=n_eff, control=control, note=note)
