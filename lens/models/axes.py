"""Axes of matched counterfactuals: what the two replies of a pair differ in, and by how much.

A pair's `axis` may carry its dose after a colon: `filler:3` holds three fillers more in the chosen reply.
"""

from __future__ import annotations

from collections.abc import Sequence

from lens.models.pairs import Pair
from lens.names import kebab
from lens.reading import Declined

ALL = "preference"


def axis_of(pair: Pair) -> str:
    """The axis' name as fields spell it, without the dose.

    >>> axis_of(Pair(0, "p", "a", "b", axis="Filler words:3"))
    'filler-words'
    """
    return kebab(pair.axis.rpartition(":")[0] if _dosed(pair.axis) else pair.axis)


def dose_of(pair: Pair) -> float:
    """Units the chosen reply has more of; 1 where the axis names no dose.

    >>> dose_of(Pair(0, "p", "a", "b", axis="filler:3")), dose_of(Pair(0, "p", "a", "b", axis="filler"))
    (3.0, 1.0)
    """
    return float(pair.axis.rpartition(":")[2]) if _dosed(pair.axis) else 1.0


def by_axis(pairs: Sequence[Pair]) -> dict[str, list[Pair]]:
    """The pairs of each axis; without any, all pairs as the one axis `preference`."""
    found: dict[str, list[Pair]] = {}
    for pair in pairs:
        if pair.axis:
            found.setdefault(axis_of(pair), []).append(pair)
    return found or {ALL: list(pairs)}


def no_axes() -> Declined:
    return Declined(
        "corpus_inadequate",
        "no pair says what its two replies differ in",
        "give matched pairs with an `axis` column: the chosen reply has the property, the rejected one lacks it",
    )


def _dosed(axis: str) -> bool:
    _, colon, tail = axis.rpartition(":")
    return bool(colon) and tail.replace(".", "", 1).isdigit() and float(tail) > 0
