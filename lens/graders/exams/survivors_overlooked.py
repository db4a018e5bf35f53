"""Survivors in forms that no row tests. The decoy: that a mutant no input can tell apart is called a blind spot."""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import FEW, Exam
from lens.stats.scorecard import Marked

FIELD = "blind-spot"


def mark(read: Read) -> Marked:
    """Flagged where there is a blind spot. The score is how many there are."""
    found, table = read.quantity(FIELD), read.tables["survivors"]
    blind = {name for name, kind in zip(table["function"], table["class"], strict=True) if kind == "blind-spot"}
    return Marked(
        dose=read.told["dose"],
        score=float(found.value) if found else 0.0,
        flagged=found is not None and found.value > 0,
        decoy=bool(blind & set(read.told["decoy"])),
    )


EXAM = Exam("survivors", "overlooked", FIELD, mark, a_dose=FEW)
