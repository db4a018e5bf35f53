"""Comparing directions by what they say of texts, so that no basis is in it.

Σ is the covariance, inside prompts, of what the head reads after the final norm. In its metric the cosine of two
readouts (the canonical angle between the lines they span) is the correlation of their rewards: an invertible change of
basis, or another scale, changes nothing.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lens.stats.clusters import grouped

if TYPE_CHECKING:
    import numpy as np


class TooFewRows(ValueError):
    """A covariance that isn't of full rank says more of its rows than of the directions."""


def inside(rows: np.ndarray, prompts: Sequence[Hashable]) -> tuple[np.ndarray, int]:
    """Rows [n, d] less their prompt's mean, and the degrees of freedom left: n less the prompts."""
    import numpy as np

    groups = grouped(prompts)
    centred = np.array(rows, float)
    for group in groups:
        centred[group] -= centred[group].mean(axis=0)
    return centred, len(rows) - len(groups)


def covariance(centred: np.ndarray, free: int) -> np.ndarray:
    """Σ [d, d] of centred rows with `free` degrees of freedom, nothing shrunk. Raises TooFewRows unless free > d."""
    if free <= centred.shape[1]:
        raise TooFewRows(f"{free} degrees of freedom in {centred.shape[1]} dimensions")
    return centred.T @ centred / free  # type: ignore[no-any-return]


def epic(correlation: float) -> float:
    """Pearson distance √((1 − ρ)/2) of two rewards on shared items (Gleave et al. 2021, arXiv:2006.13900): 0 for the
    same up to a·r + b with a > 0, 1 for opposed ones.

    >>> epic(1.0), epic(-1.0), epic(0.5)
    (0.0, 1.0, 0.5)
    """
    return float(max(0.0, (1 - correlation) / 2) ** 0.5)


def frame(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """The orthogonal map that takes the first model's rows of shared texts [n, d] nearest to the second's [n, d]: a
    direction v of the first is v @ map in the second (Schönemann 1966). Both are centred first."""
    import numpy as np

    left, _, right = np.linalg.svd((one - one.mean(axis=0)).T @ (other - other.mean(axis=0)))
    return left @ right  # type: ignore[no-any-return]
