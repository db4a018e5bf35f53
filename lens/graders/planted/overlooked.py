"""A grader some of whose forms no row tests, and one that stands in it twice: what is broken there changes nothing."""

from __future__ import annotations

from pathlib import Path

from lens.graders.planted._forms import Tested, told, written
from lens.planted import Family, Made

TWICE = """def again(response, gold):
    return response.endswith("#### " + gold)


"""


def plant(folder: Path, dose: float, seed: int) -> Made[Tested]:
    """Each form goes untested with probability `dose`. The decoy: mutants of the form that stands there twice survive
    as well, and no input can tell them apart while the other copy pays."""
    made, untested = written(folder, dose, seed, more=TWICE)
    return Made(made, told(dose, untested, decoy=("plain", "again")))


FAMILY = Family(
    "overlooked",
    "Forms that no row tests",
    "of the forms",
    (0.0, 0.1, 0.2, 0.4, 0.8),
    plant,
    (__name__, "lens.graders.planted._forms", "lens.graders.planted._careful"),
)
