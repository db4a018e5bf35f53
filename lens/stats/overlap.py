"""How far two weightings of the same places agree: weighted Jaccard, and shared members of their top k."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple


def jaccard(one: Any, other: Any) -> float:
    """Σ min / Σ max of two non-negative weightings, each scaled to sum to 1 (Ružička). NaN where one is all 0.

    >>> jaccard([1.0, 1.0], [2.0, 2.0]), jaccard([1.0, 0.0], [0.0, 1.0])
    (1.0, 0.0)
    """
    import numpy as np

    a, b = np.asarray(one, float), np.asarray(other, float)
    if not a.sum() or not b.sum():
        return float("nan")
    a, b = a / a.sum(), b / b.sum()
    return float(np.minimum(a, b).sum() / np.maximum(a, b).sum())


class TopShared(NamedTuple):
    """`shared` members of two top-`k` of `n` places; `expected` and `p` (at least as many) by the hypergeometric."""

    k: int
    n: int
    shared: int
    expected: float
    p: float


def top_shared(one: Sequence[float], other: Sequence[float], k: int) -> TopShared:
    """Ties at the edge of a top k go to the earlier place.

    >>> top_shared([3, 2, 1, 0], [3, 2, 0, 1], 2)[:4]
    (2, 4, 2, 1.0)
    """
    import numpy as np
    from scipy.stats import hypergeom

    n = len(one)
    tops = [set(np.argsort(-np.asarray(values, float), kind="stable")[:k].tolist()) for values in (one, other)]
    shared = len(tops[0] & tops[1])
    return TopShared(k, n, shared, k * k / n, float(hypergeom.sf(shared - 1, n, k, k)))
