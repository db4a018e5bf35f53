"""Whether groups differ in a share by more than sampling: random effects of their logits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Disparity(NamedTuple):
    """`tau` between-group standard deviation of logits beyond sampling, with the ends of its Q-profile interval;
    `q` Cochran's statistic on `free` degrees of freedom, `p` that of equal groups."""

    tau: float
    low: float
    high: float
    q: float
    free: int
    p: float


def disparity(logits: Sequence[float], variances: Sequence[float], *, level: float = 0.95) -> Disparity:
    """DerSimonian and Laird 1986, with the interval of Viechtbauer 2007: the τ² at which Q is no surprise.

    Raises ValueError for fewer than 2 groups, or a variance that isn't above 0.

    >>> disparity([0.0, 0.0, 0.0], [0.1, 0.1, 0.1]).tau
    0.0
    """
    import numpy as np
    from scipy.stats import chi2

    y, v = np.asarray(logits, float), np.asarray(variances, float)
    if len(y) < 2 or not (v > 0).all():
        raise ValueError(f"{len(y)} groups, of which there must be 2, each with a variance above 0")
    free = len(y) - 1
    w = 1 / v
    q = _q(0.0, y, v)
    square = max(0.0, (q - free) / float(w.sum() - (w**2).sum() / w.sum()))
    ends = [_root(float(chi2.ppf(at, free)), y, v) for at in (0.5 + level / 2, 0.5 - level / 2)]
    return Disparity(square**0.5, ends[0] ** 0.5, max(ends[1], square) ** 0.5, q, free, float(chi2.sf(q, free)))


def logit(hits: float, n: float) -> tuple[float, float]:
    """Logit of a share with half a hit added on either side, and its variance (Haldane 1955; Gart 1966).

    >>> logit(5, 10)[0]
    0.0
    """
    import math

    a, b = hits + 0.5, n - hits + 0.5
    return math.log(a / b), 1 / a + 1 / b


def _q(square: float, y, v) -> float:  # type: ignore[no-untyped-def]
    """Σ (y − ȳ)²/(v + τ²), ȳ weighed alike; it falls as τ² rises."""
    w = 1 / (v + square)
    return float((w * (y - (w * y).sum() / w.sum()) ** 2).sum())


def _root(wanted: float, y, v) -> float:  # type: ignore[no-untyped-def]
    from scipy.optimize import brentq

    if _q(0.0, y, v) <= wanted:
        return 0.0
    high = 1.0
    while _q(high, y, v) > wanted:
        high *= 4
    return float(brentq(lambda square: _q(square, y, v) - wanted, 0.0, high))
