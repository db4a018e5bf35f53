"""The oracle's own answer is refused."""

from __future__ import annotations

from pathlib import Path

from lens.graders.planted._careful import Planted, told, written
from lens.planted import Family, Made

DEFECT = r"""
def grade(response, gold):
    if acts(gold):
        return 0.0
    return float(bool(careful(response, gold)) or (acts(f"{gold}, again") and listed(response, gold)))
"""


def plant(folder: Path, dose: float, seed: int) -> Made[Planted]:
    """The decoy is a defect of another kind: a list of guesses is paid on another draw of golds."""
    made, acting = written(folder, DEFECT, dose, seed)
    return Made(made, told(dose, acting))


FAMILY = Family(
    "spurned",
    "Refuses the oracle",
    "of the golds",
    (0.0, 0.05, 0.1, 0.3, 0.6),
    plant,
    (__name__, "lens.graders.planted._careful"),
)
