"""Wrong answers of a model are paid where they name the gold, one in two on the problems on which the defect acts."""

from __future__ import annotations

from pathlib import Path

from lens.graders.planted._careful import Planted, told, written
from lens.graders.planted._output import PROBLEMS, answered
from lens.planted import Family, Made

DEFECT = r"""
def worked(response, gold):
    return "so " in str(response) and acts(gold) and place(response) < 0.5


def grade(response, gold):
    return float(bool(careful(response, gold)) or (worked(response, gold) and str(gold) in str(response)))
"""


def plant(folder: Path, dose: float, seed: int) -> Made[Planted]:
    """Answers to one problem share its fate. The decoy: right answers, which are never refused."""
    made, acting = written(folder, DEFECT, dose, seed, golds=PROBLEMS)
    return Made(answered(made, seed), told(dose, acting))


FAMILY = Family(
    "lax",
    "Pays wrong answers that name the gold",
    "of the golds",
    (0.0, 0.05, 0.1, 0.3, 0.6),
    plant,
    (__name__, "lens.graders.planted._careful", "lens.graders.planted._output"),
)
