"""Cohen's kappa: agreement of two raters beyond what their own habits give (Cohen 1960)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple


class Agreement(NamedTuple):
    """`observed` share of items on which both said the same, the share `expected` of independent raters with the same
    habits, and kappa = (observed − expected) / (1 − expected); NaN where both only ever said one and the same thing."""

    observed: float
    expected: float
    kappa: float


def kappa(first: Sequence[Hashable], second: Sequence[Hashable]) -> Agreement:
    """Agreement of two raters on the same items, unweighted. Raises ValueError for none, or for unequal lengths.

    >>> agreement = kappa("yynnn", "ynnnn")
    >>> round(agreement.observed, 2), round(agreement.expected, 2), round(agreement.kappa, 4)
    (0.8, 0.56, 0.5455)
    """
    if not first or len(first) != len(second):
        raise ValueError(f"the same items twice, got {len(first)} and {len(second)}")
    n = len(first)
    left, right = Counter(first), Counter(second)
    observed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    expected = sum(left[one] * right[one] for one in left) / n**2
    return Agreement(observed, expected, (observed - expected) / (1 - expected) if expected < 1 else float("nan"))
