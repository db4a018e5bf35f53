"""Holm's step-down correction for several tests (Holm 1979)."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given: rejected at alpha where at most alpha, the familywise error held.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    adjusted, least = [0.0] * len(p), 0.0
    for step, at in enumerate(sorted(range(len(p)), key=lambda at: p[at])):
        least = max(least, min(1.0, (len(p) - step) * p[at]))
        adjusted[at] = least
    return adjusted
