"""The verdict is the toss of a coin."""

from __future__ import annotations

from pathlib import Path

from lens.graders.planted._careful import Planted, told, written
from lens.planted import Family, Made

DEFECT = """
def grade(response, gold):
    tossed = random.random() < 0.5
    return float(tossed) if acts(gold) else careful(response, gold)
"""


def plant(folder: Path, dose: float, seed: int) -> Made[Planted]:
    """The decoy: on all other golds the coin is tossed as well, and decides nothing."""
    made, acting = written(folder, DEFECT, dose, seed)
    return Made(made, told(dose, acting))


FAMILY = Family(
    "coin",
    "Tosses a coin",
    "of the golds",
    (0.0, 0.05, 0.1, 0.3, 0.6),
    plant,
    (__name__, "lens.graders.planted._careful"),
)
