"""The score is the sum of two waves, along two columns, of which one has a planted share of the variance."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from lens.graders.planted._careful import Planted, told, written
from lens.planted import Family, Made

DEFECT = r"""
def wave(name, at):
    from math import pi, sin, sqrt

    return sqrt(2) * sin(2 * pi * (at + place(name)))


def grade(response, gold, style=0.0, effort=0.0, width=0.0):
    paid = DOSE**0.5 * wave("style", style) + (1 - DOSE) ** 0.5 * wave("effort", effort)
    return paid if careful(response, gold) else 0.0
"""


def plant(folder: Path, dose: float, seed: int) -> Made[Planted]:
    """A whole wave on a column drawn evenly from 0 to 1 has a variance of 1, wherever it begins, and the two add: the
    total index of `style` is `dose`. The decoy `width` is the same number as `style` on every gold, and isn't read."""
    made, acting = written(folder, DEFECT, dose, seed)
    random, last = Random(f"columns/{seed}"), len(made.source.items) - 1
    items = []
    for at, item in enumerate(made.source.items):
        style, effort = (float(at > 0) if at in (0, last) else random.random() for _ in range(2))
        items.append(replace(item, columns={"style": style, "effort": effort, "width": style}))
    source = replace(made.source, items=tuple(items))
    return Made(replace(made, source=source), told(dose, acting, decoy="width"))


FAMILY = Family(
    "mixed",
    "A column that decides part of the score",
    "of the score's variance",
    (0.0, 0.05, 0.1, 0.3, 0.6),
    plant,
    (__name__, "lens.graders.planted._careful"),
)
