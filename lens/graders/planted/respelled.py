"""Right answers that are not written as the gold is: only such can tell a careful grader from equality of texts."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from lens.graders.planted._careful import Planted, told, written
from lens.planted import Family, Made

GOLDS = 120
CAREFUL = """
def grade(response, gold):
    return careful(response, gold)
"""


def plant(folder: Path, dose: float, seed: int) -> Made[Planted]:
    """The grader is careful throughout; with probability `dose` the oracle writes a gold with a zero after the
    point."""
    made, acting = written(folder, CAREFUL, dose, seed, golds=GOLDS)
    items = [
        replace(item, answer=f"{item.gold}.0") if acts else item
        for item, acts in zip(made.source.items, acting, strict=True)
    ]
    return Made(replace(made, source=replace(made.source, items=tuple(items))), told(dose, acting))


FAMILY = Family(
    "respelled",
    "Right answers in other words",
    "of the golds",
    (0.0, 0.05, 0.1, 0.3, 0.6),
    plant,
    (__name__, "lens.graders.planted._careful"),
)
