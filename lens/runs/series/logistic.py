"""A four-parameter logistic in steps: floor, ceiling, midpoint and scale, with intervals from its residuals.

y = floor + (ceiling − floor) / (1 + exp(−(x − midpoint) / scale)); it goes from 10 to 90 % in 2 ln 9 · scale steps.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np

WIDTHS = 2 * math.log(9)  # scales from 10 to 90 %
BLOCK = 8  # residuals that stay together
LEAST = 16  # points
_STARTS = (0.02, 0.05, 0.15)  # scales tried first, of the series' length
_MOST = 4000  # evaluations of one fit


class Fit(NamedTuple):
    floor: float
    ceiling: float
    midpoint: float
    scale: float

    @property
    def width(self) -> float:
        """Steps from 10 to 90 %."""
        return WIDTHS * abs(self.scale)

    def at(self, x: np.ndarray) -> np.ndarray:
        return curve(x, *self)


def curve(x: np.ndarray, floor: float, ceiling: float, midpoint: float, scale: float) -> np.ndarray:
    """The logistic at x; a scale below 0 falls from ceiling to floor."""
    import numpy as np

    safe = scale if abs(scale) > 1e-9 else math.copysign(1e-9, scale)
    risen: np.ndarray = floor + (ceiling - floor) / (1.0 + np.exp(-np.clip((x - midpoint) / safe, -500.0, 500.0)))
    return risen


def fit(x: np.ndarray, y: np.ndarray, start: Fit | None = None) -> Fit | None:
    """Least squares from `start`, else from the best of a grid; None where it doesn't settle.

    >>> import numpy as np
    >>> x = np.arange(100.0)
    >>> found = fit(x, curve(x, 1.0, 3.0, 40.0, 5.0))
    >>> [round(value, 6) for value in found]
    [1.0, 3.0, 40.0, 5.0]
    """
    import warnings

    import numpy as np
    from scipy.optimize import OptimizeWarning, curve_fit

    with warnings.catch_warnings(), np.errstate(over="ignore", invalid="ignore"):
        warnings.simplefilter("ignore", OptimizeWarning)  # no covariance is read
        try:
            found, _ = curve_fit(curve, x, y, p0=start or _start(x, y), maxfev=_MOST)
        except RuntimeError:
            return None
    floor, ceiling, midpoint, scale = (float(one) for one in found)
    return Fit(ceiling, floor, midpoint, -scale) if scale < 0 else Fit(floor, ceiling, midpoint, scale)


def _start(x: np.ndarray, y: np.ndarray) -> Fit:
    """The best of a grid of midpoints and scales, with floor and ceiling by linear least squares."""
    import numpy as np

    best, least = Fit(float(y[0]), float(y[-1]), float(x.mean()), float(np.ptp(x)) / 10), math.inf
    for midpoint in np.quantile(x, np.linspace(0.05, 0.95, 19)):
        for share in _STARTS:
            scale = share * float(np.ptp(x))
            risen = curve(x, 0.0, 1.0, float(midpoint), scale)
            design = np.stack([1 - risen, risen], axis=1)
            ends, *_ = np.linalg.lstsq(design, y, rcond=None)
            sum_of_squares = float(((y - design @ ends) ** 2).sum())
            if sum_of_squares < least:
                best, least = Fit(float(ends[0]), float(ends[1]), float(midpoint), scale), sum_of_squares
    return best


def redrawn(x: np.ndarray, y: np.ndarray, found: Fit, *, draws: int, seed: int) -> list[Fit]:
    """Fits of the curve plus moving blocks of its residuals; those that don't settle are left out."""
    import numpy as np

    rng, fitted = np.random.default_rng(seed), found.at(x)
    residuals, size = y - fitted, len(x)
    fits = []
    for _ in range(draws):
        starts = rng.integers(0, size - BLOCK + 1, -(-size // BLOCK))
        drawn = residuals[(starts[:, None] + np.arange(BLOCK)).ravel()[:size]]
        if (again := fit(x, fitted + drawn, found)) is not None:
            fits.append(again)
    return fits


def aicc(sum_of_squares: float, points: int, parameters: int) -> float:
    """Corrected Akaike criterion of a least-squares fit; `parameters` counts the noise's variance.

    -inf for a fit without residuals.
    """
    if sum_of_squares <= 0:
        return -math.inf
    least = points * math.log(sum_of_squares / points) + 2 * parameters
    return least + 2 * parameters * (parameters + 1) / (points - parameters - 1)


def over_line(x: np.ndarray, y: np.ndarray, found: Fit) -> float:
    """By how much its AICc is below that of a straight line."""
    import numpy as np

    line = np.polynomial.Polynomial.fit(x, y, 1)
    straight = aicc(float(((y - line(x)) ** 2).sum()), len(x), 3)
    curved = aicc(float(((y - found.at(x)) ** 2).sum()), len(x), 5)
    return straight - curved if math.isfinite(straight) else 0.0
