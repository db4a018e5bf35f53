"""Whether values rise with an ordered dose (Jonckheere 1954, Terpstra 1952)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Trend(NamedTuple):
    """`share` of pairs across doses in which the higher dose has the higher value, ties halved; `p`, one-sided, of no
    rise."""

    share: float
    p: float


def jonckheere(groups: Sequence[Sequence[float]]) -> Trend:
    """Trend over `groups`, one a dose in rising order; normal approximation, variance corrected for ties.

    Raises ValueError for fewer than 2 groups, an empty one, or NaN. Values that are all alike have p = 1.

    >>> jonckheere([[0.0, 1.0, 2.0], [2.0, 3.0, 4.0], [5.0, 6.0, 7.0]]).p < 0.01
    True
    >>> jonckheere([[1.0, 1.0], [1.0, 1.0]])
    Trend(share=0.5, p=1.0)
    """
    import numpy as np
    from scipy.stats import norm

    if len(groups) < 2 or not all(len(group) for group in groups):
        raise ValueError("a trend is read over at least 2 doses with a value each")
    found = [np.asarray(group, float) for group in groups]
    if np.isnan(np.concatenate(found)).any():
        raise ValueError("a value is NaN")
    above = pairs = 0.0
    for low in range(len(found)):
        for high in range(low + 1, len(found)):
            over = found[high][:, None] - found[low][None, :]
            above += float((over > 0).sum() + 0.5 * (over == 0).sum())
            pairs += over.size
    spread = _spread([len(group) for group in found], np.unique(np.concatenate(found), return_counts=True)[1].tolist())
    return Trend(above / pairs, float(norm.sf((above - pairs / 2) / spread)) if spread > 0 else 1.0)


def _spread(sizes: Sequence[int], ties: Sequence[int]) -> float:
    """Standard deviation of the count of rises when dose doesn't matter (Hollander and Wolfe 1999, 6.19)."""

    def sums(counts: Sequence[int]) -> tuple[int, int, int]:
        return (
            sum(t * (t - 1) * (2 * t + 5) for t in counts),
            sum(t * (t - 1) * (t - 2) for t in counts),
            sum(t * (t - 1) for t in counts),
        )

    n = sum(sizes)
    whole, by_dose, by_tie = sums([n]), sums(sizes), sums(ties)
    variance = (whole[0] - by_dose[0] - by_tie[0]) / 72 + by_dose[2] * by_tie[2] / (8 * n * (n - 1))
    if n > 2:
        variance += by_dose[1] * by_tie[1] / (36 * n * (n - 1) * (n - 2))
    return float(max(variance, 0.0) ** 0.5)
