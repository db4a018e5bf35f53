"""A histogram as one outline: its corners along the axis, for a band."""

from __future__ import annotations

from collections.abc import Sequence


def outline(low: Sequence[float], high: Sequence[float], counts: Sequence[float]) -> list[tuple[float, float]]:
    """(value, count) corners from the first bin's foot to the last's.

    >>> outline([0, 1], [1, 2], [3, 5])
    [(0, 0.0), (0, 3), (1, 3), (1, 5), (2, 5), (2, 0.0)]
    """
    corners: list[tuple[float, float]] = [(low[0], 0.0)] if low else []
    for left, right, count in zip(low, high, counts, strict=True):
        corners += [(left, count), (right, count)]
    return [*corners, (high[-1], 0.0)] if high else corners
