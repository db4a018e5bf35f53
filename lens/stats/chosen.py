"""The largest of many means, read on other clusters than it was chosen on (trust conventions, A2)."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, NamedTuple

from lens.stats.clusters import grouped

FOLDS = 5


class Chosen(NamedTuple):
    """`column` is the largest on all rows; `values` [rows] are each row's value of the column that is largest on the
    other folds; `agreed` of `folds` folds chose `column`."""

    column: int
    values: list[float]
    agreed: int
    folds: int


def chosen(values: Any, clusters: Sequence[Hashable], *, size: bool = False) -> Chosen:
    """Cross-fitted choice of the column of `values` [rows, columns] with the largest mean, or, with `size`, the
    largest size of it. Folds go over clusters by their order; a single cluster is its own fold.

    >>> chosen([[0.0, 1.0], [0.1, 1.2], [0.0, 0.9]], "abc").column
    1
    """
    import numpy as np

    rows = np.asarray(values, float)
    groups = grouped(clusters)
    folds = min(FOLDS, len(groups))

    def best(some: Any) -> int:
        means = rows[some].mean(axis=0)
        return int(np.argmax(np.abs(means) if size else means))

    column = best(np.arange(len(rows)))
    found = np.zeros(len(rows))
    agreed = 0
    for fold in range(folds):
        inside = np.concatenate(groups[fold::folds])
        others = np.setdiff1d(np.arange(len(rows)), inside)
        picked = best(others if len(others) else inside)
        agreed += picked == column
        found[inside] = rows[inside, picked]
    return Chosen(column, found.tolist(), agreed, folds)
