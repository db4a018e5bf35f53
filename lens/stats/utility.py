"""One utility that all raters share, fitted to how many of them chose each reply (Bradley and Terry 1952)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

PENALTY, STEPS = 0.01, 50


def utility(apart: np.ndarray, shares: np.ndarray, of: np.ndarray) -> np.ndarray:
    """Log-odds [P] of the first reply under the utility, linear in `apart` [P, d], that makes the votes likeliest:
    `shares` [P] of `of` [P] raters for the first of two replies that stand this far apart. By Newton's steps; the
    penalty is `PENALTY` of a rater's information, so that it is finite.

    >>> import numpy as np
    >>> apart = np.array([[1.0], [2.0], [-1.0], [-2.0]])
    >>> utility(apart, 1 / (1 + np.exp(-apart[:, 0])), np.full(4, 1e6)).round(3).tolist()
    [1.0, 2.0, -1.0, -2.0]
    """
    import numpy as np

    d = apart.shape[1]
    told = of / of.sum()
    penalty = PENALTY * float((apart**2).sum()) / (d * of.sum())
    head = np.zeros(d)
    for _ in range(STEPS):
        said = 1 / (1 + np.exp(-np.clip(apart @ head, -30, 30)))
        slope = apart.T @ (told * (shares - said)) - penalty * head
        bend = (apart.T * (told * said * (1 - said))) @ apart + penalty * np.eye(d)
        step = np.linalg.lstsq(bend, slope, rcond=None)[0]
        head = head + step
        if np.abs(apart @ step).max() < 1e-9:
            break
    return np.asarray(apart @ head)
