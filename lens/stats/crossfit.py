"""Folds over clusters (trust conventions, A2): whatever is fitted is fitted on other prompts than it is read on."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from lens.stats.clusters import grouped

if TYPE_CHECKING:
    import numpy as np

FOLDS = 5


def folds(clusters: Sequence[Hashable], count: int = FOLDS) -> list[np.ndarray]:
    """The rows of each fold; a cluster's rows are in one fold. At most as many folds as clusters.

    >>> [fold.tolist() for fold in folds(["a", "a", "b", "c"], 2)]
    [[0, 1, 3], [2]]
    """
    import numpy as np

    groups = grouped(clusters)
    return [np.concatenate(groups[fold::count]) for fold in range(min(count, len(groups)))]
