"""Where along the depth a curve gets to where it ends."""

from __future__ import annotations

from collections.abc import Sequence

SHARE = 0.5


def crystallized(curve: Sequence[float], share: float = SHARE) -> int | None:
    """The first index after which the curve stays at least `share` of its last value; None unless that is above 0.

    >>> crystallized([0.0, 3.0, 0.2, 1.0, 2.0])
    3
    >>> crystallized([1.0, 0.0]) is None
    True
    """
    if not curve[-1] > 0:
        return None
    at = len(curve) - 1
    while at > 0 and curve[at - 1] >= share * curve[-1]:
        at -= 1
    return at


def crossed(curve: Sequence[float], share: float = SHARE) -> int | None:
    """The first index at which the curve is at least `share` of its last value; None unless that is above 0.

    >>> crossed([0.0, 3.0, 0.2, 1.0, 2.0])
    1
    """
    if not curve[-1] > 0:
        return None
    return next(at for at, value in enumerate(curve) if value >= share * curve[-1])
