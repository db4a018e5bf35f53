"""Labels beside a panel, moved apart until none meets another."""

from __future__ import annotations


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Heights near those wanted, in the same order, at least `gap` apart and within [low, high] where they fit.

    Neighbours that collide become one cluster centred on its members' mean, the least total move.

    >>> spread([10, 12, 50], 10, 0, 100)
    [6.0, 16.0, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    clusters: list[list[int]] = []
    for index in order:
        clusters.append([index])
        while len(clusters) > 1 and _start(clusters[-1], wanted, gap, low, high) < (
            _start(clusters[-2], wanted, gap, low, high) + gap * len(clusters[-2]) - 1e-9
        ):
            last = clusters.pop()
            clusters[-1] += last
    placed = [0.0] * len(wanted)
    for cluster in clusters:
        start = _start(cluster, wanted, gap, low, high)
        for at, index in enumerate(cluster):
            placed[index] = start + at * gap
    return placed


def _start(cluster: list[int], wanted: list[float], gap: float, low: float, high: float) -> float:
    """Height of a cluster's first label."""
    span = gap * (len(cluster) - 1)
    middle = sum(wanted[index] for index in cluster) / len(cluster)
    return max(low, min(middle - span / 2, high - span))
