"""A call takes a planted power of the length of what it is given."""

from __future__ import annotations

from pathlib import Path

from lens.graders.planted._careful import Planted, told, written
from lens.planted import Family, Made

DEFECT = r"""
SHORTEST, LOOPS = 1000, 20_000  # the shortest text that is timed, and what makes all else of a call small beside it


def grade(response, gold):
    opened, said = str(response).count("("), str(response).count("so ")
    for _ in range(int(LOOPS * (opened / SHORTEST) ** (1 + DOSE)) + int(LOOPS * said / SHORTEST)):
        pass
    return 0.0 if opened or said else careful(response, gold)
"""


def plant(folder: Path, dose: float, seed: int) -> Made[Planted]:
    """Time grows with open brackets to the power of one and the dose, on every gold. The decoy: it grows with words, in
    proportion."""
    made, acting = written(folder, DEFECT, dose, seed)
    return Made(made, told(dose, acting, decoy="words"))


FAMILY = Family(
    "slow",
    "Takes a power of the length",
    "over one in the exponent",
    (0.0, 0.25, 0.5, 1.0, 2.0),
    plant,
    (__name__, "lens.graders.planted._careful"),
)
