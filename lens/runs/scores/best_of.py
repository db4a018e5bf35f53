"""Best of n, and exponential tilting, on the scores of one prompt's samples: what is gained, and at what KL.

Of m samples, best-of-n is the best by score of n drawn without replacement, ties broken at random: that is exact in
the samples, and unbiased for the policy they came from. Divergences are those of the samples' own levels.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np


def weights(scores: np.ndarray, n: int) -> np.ndarray:
    """The chance of each sample to be best of n of them.

    >>> import numpy as np
    >>> weights(np.array([0.0, 1.0, 1.0]), 2).tolist()
    [0.0, 0.5, 0.5]
    >>> weights(np.array([3.0, 1.0, 2.0]), 2).round(6).tolist()
    [0.666667, 0.0, 0.333333]
    """
    import numpy as np

    size = len(scores)
    below = (scores[None, :] < scores[:, None]).sum(axis=1)
    tied = (scores[None, :] == scores[:, None]).sum(axis=1)
    total = math.comb(size, n)
    return np.array(
        [(math.comb(int(b + t), n) - math.comb(int(b), n)) / total / int(t) for b, t in zip(below, tied, strict=True)]
    )


def bound(n: int) -> float:
    """log n − (n−1)/n: the KL of best-of-n from its base where no two scores tie, and never less than it.

    >>> round(bound(16), 3)
    1.835
    """
    return math.log(n) - (n - 1) / n


def divergence(shares: np.ndarray, n: int) -> float:
    """KL of best-of-n from its base where scores have levels of these shares, lowest first: ties cost nothing.

    >>> import numpy as np
    >>> round(divergence(np.array([0.5, 0.5]), 16), 3)
    0.693
    """
    import numpy as np

    best = np.diff(np.concatenate([[0.0], np.cumsum(shares)]) ** n)
    best = best / best.sum()
    some = best > 0
    return float((best[some] * np.log(best[some] / shares[some])).sum())


def levels(scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Distinct scores, lowest first, and their shares."""
    import numpy as np

    values, counts = np.unique(scores, return_counts=True)
    return values, counts / counts.sum()


def tilted(values: np.ndarray, shares: np.ndarray, strength: float) -> tuple[float, float]:
    """Mean and KL of the base tilted by e^(λr): KL = λ E_λ r − log Z.

    >>> import numpy as np
    >>> mean, kl = tilted(np.array([0.0, 1.0]), np.array([0.5, 0.5]), math.log(3.0))
    >>> round(mean, 6), round(kl, 6)
    (0.75, 0.130812)
    """
    import numpy as np

    logs = np.log(shares) + strength * values
    top = float(logs.max())
    partition = top + math.log(float(np.exp(logs - top).sum()))
    mean = float((np.exp(logs - partition) * values).sum())
    return mean, strength * mean - partition


def least_divergence(values: np.ndarray, shares: np.ndarray, mean: float) -> float:
    """KL of the tilt that reaches `mean`: no distribution over the samples gets there for less.

    The mean of the highest level costs −log of its share. Raises ValueError for a mean that no tilt up reaches.
    """
    from scipy.optimize import brentq

    base = float((values * shares).sum())
    span = float(values[-1] - values[0])
    if not base - 1e-12 * max(1.0, abs(base)) <= mean <= values[-1] + 1e-12 * max(1.0, abs(values[-1])):
        raise ValueError(f"no tilt up goes from {base} to {mean}")
    if span == 0 or mean <= base:
        return 0.0
    most = 700.0 / span
    if tilted(values, shares, most)[0] <= mean:
        return -math.log(float(shares[-1]))
    strength = brentq(lambda some: tilted(values, shares, some)[0] - mean, 0.0, most, xtol=1e-12, rtol=1e-12)
    return tilted(values, shares, float(strength))[1]
