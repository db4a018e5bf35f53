"""Kill matrix on forms that no row tests: do their mutants survive, and no others?"""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import FEW, Exam
from lens.stats.scorecard import Marked

FIELD = "gold.killed"


def mark(read: Read) -> Marked:
    """Flagged where any mutant survives. The score is the share that does. The decoy: a survivor in a form that is
    tested. All mutants are run, so that there is no interval to judge."""
    killed, dose = read.quantity(FIELD), read.told["dose"]
    survives = killed is not None and killed.value != killed.of
    return Marked(
        dose=dose,
        score=1 - killed.value / killed.of if killed and killed.of else 0.0,
        flagged=survives,
        decoy=survives and elsewhere(read),
    )


def elsewhere(read: Read) -> bool:
    table = read.tables["mutants"]
    alive = {name for name, row in zip(table["function"], table["gold"], strict=True) if row < 0}
    return not alive <= set(read.told["untested"])


EXAM = Exam("kill-matrix", "untested", FIELD, mark, a_dose=FEW)
