"""The generalised Pareto distribution of excesses over a threshold, fitted by maximum likelihood.

P(Y > y) = (1 + ξ y/σ)^(−1/ξ); ξ > 0 is a power-law tail, 0 an exponential one, < 0 one that ends at −σ/ξ.
Below ξ = −1 the likelihood has no maximum (Smith 1985), so that is where the fit ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.reading import Interval

if TYPE_CHECKING:
    import numpy as np

LEAST_SHAPE, MOST_SHAPE = -1.0, 5.0
_GRID = 160
_TINY = 1e-9


class Tail(NamedTuple):
    """Shape ξ, its profile-likelihood interval, and scale σ in the units of the excesses."""

    shape: float
    interval: Interval
    scale: float


def tail(excesses: Sequence[float] | np.ndarray, *, level: float = 0.95) -> Tail:
    """Fit of positive excesses. Raises ValueError for fewer than 10, or one that isn't above 0."""
    import numpy as np
    from scipy.optimize import brentq
    from scipy.stats import chi2

    y = np.asarray(excesses, float)
    if len(y) < 10 or not (y > 0).all():
        raise ValueError(f"{len(y)} excesses, of which all must be above 0 and there must be 10")
    unit = float(y.mean())
    y = y / unit
    best = shape_of(y)
    most = _profile(best, y)
    drop = float(chi2.ppf(level, 1)) / 2

    def below(shape: float) -> float:
        return most - drop - _profile(shape, y)

    low = LEAST_SHAPE if below(LEAST_SHAPE) <= 0 else float(brentq(below, LEAST_SHAPE, best, xtol=1e-6))
    high = MOST_SHAPE if below(MOST_SHAPE) <= 0 else float(brentq(below, best, MOST_SHAPE, xtol=1e-6))
    return Tail(best, Interval(low, high, "profile-likelihood", level), _scale(best, y) * unit)


def shape_of(y: np.ndarray) -> float:
    """ξ̂ by Grimshaw 1993: with θ = ξ/σ, ξ(θ) = mean log(1 + θy) and the likelihood is a function of θ alone."""
    import numpy as np

    largest, mean = float(y.max()), float(y.mean())

    def found(theta: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shape = np.log1p(np.outer(theta, y)).mean(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            scale = np.where(np.abs(theta) < _TINY, mean, shape / theta)
            likelihood = -np.log(scale) - shape - 1
        return shape, np.where(shape >= LEAST_SHAPE, likelihood, -np.inf)

    span = np.geomspace(1e-6, 1.0, _GRID // 2)
    grid = np.concatenate([(-1 / largest) * (1 - span), [0.0], 50 / mean * span**2])
    for _ in range(4):
        shape, likelihood = found(grid)
        at = int(np.argmax(likelihood))
        order = np.argsort(grid)
        place = int(np.where(order == at)[0][0])
        left, right = grid[order[max(0, place - 1)]], grid[order[min(len(grid) - 1, place + 1)]]
        best = float(shape[at]), float(likelihood[at])
        grid = np.linspace(left, right, 41)
    edge = -float(np.log(largest))  # ξ = −1, σ = the largest: uniform up to it
    return LEAST_SHAPE if edge >= best[1] else best[0]


def _profile(shape: float, y: np.ndarray) -> float:
    """Log-likelihood at ξ, σ at its best."""
    import numpy as np

    scale = _scale(shape, y)
    if abs(shape) < _TINY:
        return float(-len(y) * np.log(scale) - y.sum() / scale)
    if shape == LEAST_SHAPE:
        return float(-len(y) * np.log(scale))
    return float(-len(y) * np.log(scale) - (1 + 1 / shape) * np.log1p(shape * y / scale).sum())


def _scale(shape: float, y: np.ndarray) -> float:
    """σ that is most likely at ξ: the root of Σ (1 + ξ) y/(σ + ξy) = n, which falls with σ."""
    from scipy.optimize import brentq

    if abs(shape) < _TINY:
        return float(y.mean())
    largest = float(y.max())
    if shape == LEAST_SHAPE:
        return largest

    def excess(scale: float) -> float:
        return float(((1 + shape) * y / (scale + shape * y)).mean()) - 1

    low = max(_TINY, -shape * largest * (1 + 1e-12)) if shape < 0 else _TINY
    high = (1 + abs(shape)) * largest + 1
    if excess(low) <= 0:
        return low
    return float(brentq(excess, low, high, xtol=1e-12))
