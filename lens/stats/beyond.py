"""Whether a mean lies beyond a margin: the counterpart of `lens.stats.tost`, so that "large" is shown too."""

from __future__ import annotations

from collections.abc import Sequence


def beyond(means: Sequence[float], margin: float) -> float:
    """p of the hypothesis that the mean of `means`, one a cluster, lies within ±`margin`: a t test at its edge.

    With margin 0 it is the two-sided t test. Raises ValueError for a negative margin and for fewer than 2 clusters.
    Source: Murphy and Myors 1999, minimum-effect tests.

    >>> round(beyond([1.0, 2.0, 3.0, 4.0], 0.0), 4)
    0.0305
    >>> beyond([0.1, -0.1, 0.2, -0.2], 1.0) > 0.99
    True
    """
    import numpy as np
    from scipy import stats

    if margin < 0 or len(means) < 2:
        raise ValueError(f"a margin of at least 0 and 2 clusters, got {margin} and {len(means)}")
    values = np.asarray(means, float)
    error, away = float(values.std(ddof=1) / np.sqrt(len(values))), abs(float(values.mean()))
    if error == 0:
        return 0.0 if away > margin else 1.0
    free = len(values) - 1
    return min(1.0, float(stats.t.sf((away - margin) / error, free) + stats.t.sf((away + margin) / error, free)))
