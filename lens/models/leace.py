"""Least-squares concept erasure in closed form (Belrose et al. 2023, arXiv:2306.03819, theorem 4.3).

Among all affine maps after which no linear probe does better than a constant, the one that moves the rows least:
    r(x) = x − W⁺ P W (x − E x),   W = (Σxx^½)⁺,   P the orthogonal projector on the columns of W Σxz
Nothing is shrunk: with fewer rows than dimensions it erases the fitted rows and leaks on others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

_TINY = 1e-10  # of the largest singular value: below it a direction holds nothing


@dataclass(frozen=True)
class Eraser:
    """x ↦ x − (x − mean)·projection, for rows x [n, d]. `rank` directions go; the rows it was fitted on span `held`."""

    projection: np.ndarray  # [d, d], oblique
    mean: np.ndarray  # [d]
    rank: int
    held: int

    def __call__(self, rows: np.ndarray) -> np.ndarray:
        """The rows with the concept erased: [..., d] -> [..., d]."""
        return rows - (rows - self.mean) @ self.projection  # type: ignore[no-any-return]


def fit(rows: np.ndarray, labels: np.ndarray) -> Eraser:
    """The eraser of `labels` (one number or one-hot row a row) from `rows` [n, d], fp64.

    Raises ValueError under 2 rows.
    """
    import numpy as np

    x, z = np.asarray(rows, float), np.asarray(labels, float)
    if len(x) < 2:
        raise ValueError(f"{len(x)} rows have no covariance")
    z = z[:, None] if z.ndim == 1 else z
    mean = x.mean(axis=0)
    xs, zs = x - mean, z - z.mean(axis=0)
    free = len(x) - 1
    values, vectors = np.linalg.eigh(xs.T @ xs / free)
    kept = values > _TINY * max(float(values[-1]), 0.0)
    values, vectors = values[kept], vectors[:, kept]
    whiten = (vectors / np.sqrt(values)) @ vectors.T
    unwhiten = (vectors * np.sqrt(values)) @ vectors.T
    left, size, _ = np.linalg.svd(whiten @ (xs.T @ zs / free), full_matrices=False)
    left = left[:, size > _TINY * float(size[0])]
    projection = (unwhiten @ left @ left.T @ whiten).T
    return Eraser(projection, mean, left.shape[1], int(kept.sum()))
