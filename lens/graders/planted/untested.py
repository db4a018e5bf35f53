"""A grader some of whose forms no row tests: what is broken there goes unnoticed."""

from __future__ import annotations

from pathlib import Path

from lens.graders.planted._forms import Tested, told, written
from lens.planted import Family, Made


def plant(folder: Path, dose: float, seed: int) -> Made[Tested]:
    """Each form goes untested with probability `dose`."""
    made, untested = written(folder, dose, seed)
    return Made(made, told(dose, untested))


FAMILY = Family(
    "untested",
    "Forms that no row tests",
    "of the forms",
    (0.0, 0.1, 0.2, 0.4, 0.8),
    plant,
    (__name__, "lens.graders.planted._forms", "lens.graders.planted._careful"),
)
