"""Intervals of figures that are sums over steps: steps are drawn, since groups of a step share a policy.

Steps of one run follow one another and are not independent, so blocks of neighbouring steps are drawn where there are
enough of them (Künsch 1989); a cluster is then such a block.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from lens.reading import Interval
from lens.stats.clusters import mean_of_sums, over_sums

BLOCKS = 100  # at most, however many steps there are: redraws cost what they draw


class Ratio(NamedTuple):
    """`value` is None where the bottoms add to 0; `interval` None under 8 clusters."""

    value: float | None
    interval: Interval | None
    clusters: int


def ratio(parts: Sequence[tuple[float, float]], *, seed: int, draws: int) -> Ratio:
    """Σ top / Σ bottom of (top, bottom) by step, in order; steps with nothing below the line stand aside.

    >>> found = ratio([(1.0, 2.0)] * 20, seed=0, draws=50)
    >>> found.value, found.clusters
    (0.5, 20)
    """
    counted = [one for one in parts if one[1] > 0]
    if not counted:
        return Ratio(None, None, 0)
    blocks = in_blocks(counted)
    top, bottom = math.fsum(one for one, _ in counted), math.fsum(one for _, one in counted)
    interval = over_sums(blocks, mean_of_sums, seed=seed, draws=draws, mean=True)
    return Ratio(top / bottom, interval, len(blocks))


def in_blocks(parts: Sequence[tuple[float, ...]]) -> list[list[float]]:
    """Sums of neighbouring steps, in at most `BLOCKS` blocks of equal length but for the last."""
    length = math.ceil(len(parts) / BLOCKS)
    return [
        [math.fsum(column) for column in zip(*parts[at : at + length], strict=True)]
        for at in range(0, len(parts), length)
    ]
