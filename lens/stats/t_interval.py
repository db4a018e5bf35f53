"""Student's t interval of a mean of independent units."""

from __future__ import annotations

from collections.abc import Sequence

from lens.reading import Interval


def t_interval(means: Sequence[float], *, level: float = 0.95) -> Interval:
    """Interval of the mean of `means`, one a cluster. Raises ValueError for fewer than 2.

    >>> interval = t_interval([1.0, 2.0, 3.0, 4.0])
    >>> round(interval.low, 3), round(interval.high, 3)
    (0.446, 4.554)
    """
    import numpy as np
    from scipy import stats

    if len(means) < 2:
        raise ValueError(f"{len(means)} clusters: no spread to judge by")
    values = np.asarray(means, float)
    half = float(stats.t.ppf(0.5 + level / 2, len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values)))
    return Interval(float(values.mean()) - half, float(values.mean()) + half, "t-over-clusters", level)
