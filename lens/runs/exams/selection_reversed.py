"""Selection on advantages of the wrong sign. The decoy: advantages of rollouts that no score speaks against."""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import FEW, Exam
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """The instrument counts rollouts whose advantage has the sign of their distance from the group's mean: any that has
    not counts as found. The decoy is taken for one where more are counted than were planted."""
    agree = read.quantity("agree")
    wrong = agree.of - agree.value if agree and agree.of else 0
    return Marked(
        dose=read.told["dose"],
        score=wrong / agree.of if agree and agree.of else 0.0,
        flagged=wrong > 0,
        decoy=wrong > read.told["planted"],
    )


EXAM = Exam("selection", "reversed", "agree", mark, a_dose=FEW)
