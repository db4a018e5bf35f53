"""Moments of replies drawn prompt by prompt (trust conventions, A1): computed inside a prompt, then averaged."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lens.stats.clusters import grouped

if TYPE_CHECKING:
    import numpy as np


def centred(values: np.ndarray, prompts: Sequence[Hashable]) -> np.ndarray:
    """Rows less their prompt's mean: [n, ...] -> [n, ...].

    >>> import numpy as np
    >>> centred(np.array([1.0, 3.0, 7.0]), ["a", "a", "b"]).tolist()
    [-1.0, 1.0, 0.0]
    """
    import numpy as np

    found = np.array(values, float)
    for group in grouped(prompts):
        found[group] -= found[group].mean(axis=0)
    return found


def weights(prompts: Sequence[Hashable]) -> np.ndarray:
    """[n]: Σ weights · x · y over centred rows is the mean over prompts of Cov(x, y), unbiased in each.

    Prompts with a single reply have weight 0.
    """
    import numpy as np

    groups = grouped(prompts)
    several = sum(len(group) > 1 for group in groups)
    found = np.zeros(len(prompts))
    for group in groups:
        if len(group) > 1:
            found[group] = 1 / (len(group) - 1) / several
    return found


def covariance(x: np.ndarray, prompts: Sequence[Hashable]) -> np.ndarray:
    """E_x Cov_{y|x} of the columns of `x` [n, k]: [k, k].

    >>> import numpy as np
    >>> covariance(np.array([[0.0], [2.0], [10.0], [14.0]]), "aabb").tolist()
    [[5.0]]
    """
    rows = centred(x, prompts)
    found: np.ndarray = (rows * weights(prompts)[:, None]).T @ rows
    return found


def spread(values: np.ndarray, prompts: Sequence[Hashable]) -> float:
    """s: the pooled standard deviation inside prompts; 0 where no reply differs from another of its prompt.

    >>> import numpy as np
    >>> spread(np.array([1.0, 3.0, 10.0, 12.0]), "aabb") ** 2
    2.0000000000000004
    """
    rows = centred(values, prompts)
    free = sum(len(group) - 1 for group in grouped(prompts))
    return float(((rows**2).sum() / free) ** 0.5) if free else 0.0
