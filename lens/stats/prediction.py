"""Where one more draw would fall: the band of a control that was run a few times."""

from __future__ import annotations

from collections.abc import Sequence

from lens.reading import Interval


def prediction(values: Sequence[float], *, level: float = 0.95) -> Interval:
    """Student-t prediction interval of one more value. Raises ValueError for fewer than 2.

    >>> band = prediction([0.1, 0.2, 0.3, 0.2])
    >>> round(band.low, 3), round(band.high, 3)
    (-0.091, 0.491)
    """
    import numpy as np
    from scipy.stats import t

    if len(values) < 2:
        raise ValueError(f"{len(values)} values: no spread to judge by")
    found = np.asarray(values, float)
    n = len(found)
    half = float(t.ppf(0.5 + level / 2, n - 1) * found.std(ddof=1) * np.sqrt(1 + 1 / n))
    return Interval(float(found.mean()) - half, float(found.mean()) + half, "t-prediction", level)
