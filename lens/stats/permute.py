"""Nulls by permutation inside a prompt (trust conventions, A3): labels change places only where they were drawn."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from lens.stats.clusters import grouped

if TYPE_CHECKING:
    import numpy as np

NULLS = 200


class Null(NamedTuple):
    """Mean and 95th percentile of a statistic over label permutations."""

    mean: float
    high: float


def inside(prompts: Sequence[Hashable], *, seed: int, count: int = NULLS) -> np.ndarray:
    """Permutations of rows [count, n] in which every row stays in its prompt.

    >>> inside(["a", "b", "a"], seed=0, count=3)[:, 1].tolist()
    [1, 1, 1]
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    found = np.tile(np.arange(len(prompts)), (count, 1))
    for group in grouped(prompts):
        if len(group) > 1:
            found[:, group] = rng.permuted(np.tile(group, (count, 1)), axis=1)
    return found


def across(n: int, *, seed: int, count: int = NULLS) -> np.ndarray:
    """Permutations of all rows [count, n]: what belongs to which prompt is forgotten."""
    import numpy as np

    return np.random.default_rng(seed).permuted(np.tile(np.arange(n), (count, 1)), axis=1)


def null(values: Sequence[float] | np.ndarray) -> Null:
    """Of the statistic's values over permutations; values that aren't numbers are left out.

    >>> null([0.0] * 19 + [1.0]).mean
    0.05
    """
    import numpy as np

    found = np.asarray(values, float)
    found = found[np.isfinite(found)]
    return Null(float(found.mean()), float(np.quantile(found, 0.95))) if len(found) else Null(0.0, 0.0)
