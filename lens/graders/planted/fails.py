"""Exceptions on a planted share of inputs, some that come out and some that are kept in and cost a 0."""

from __future__ import annotations

from pathlib import Path

from lens.graders.planted._careful import Planted, told, written
from lens.planted import Family, Made

OUT, IN = "OverflowError", "LookupError"
DEFECT = r"""
def fate(response, gold):
    return place(f"{response!r}, {gold!r}")


def checked(response, gold):
    if fate(response, gold) >= 1 - DOSE:
        raise LookupError
    return careful(response, gold) if re.fullmatch(r"-?\d+", str(gold)) else 0.0


def grade(response, gold):
    if fate(response, gold) < DOSE:
        raise OverflowError
    try:
        return checked(response, gold)
    except LookupError:
        return 0.0
"""


def plant(folder: Path, dose: float, seed: int) -> Made[Planted]:
    """On each input an exception comes out with probability `dose`, and with the same one is kept in on another. Either
    is the other's decoy. Golds that are no number are no failure."""
    made, acting = written(folder, DEFECT, dose, seed)
    return Made(made, told(dose, acting, out=OUT, inside=IN))


FAMILY = Family(
    "fails",
    "Raises on some inputs",
    "of the inputs",
    (0.0, 0.05, 0.1, 0.2, 0.4),
    plant,
    (__name__, "lens.graders.planted._careful"),
)
