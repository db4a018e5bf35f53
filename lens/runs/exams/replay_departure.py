"""Replay on advantages of a planted rule: does it name the rule, and say so where some follow none?"""

from __future__ import annotations

from lens.exam import Read
from lens.runs.exams import FEW, Exam
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where no rule is accepted. The score is the share of rollouts missed by the rule that misses fewest. The
    decoy: that the nearest rule is of another family than the planted one."""
    accepted, table = read.quantity("accepted"), read.tables["rules"]
    return Marked(
        dose=read.told["dose"],
        score=min(table["beyond"]) / table["compared"][0],
        flagged=accepted is not None and accepted.value == 0,
        decoy=table["family"][0] != read.told["rule"],
    )


EXAM = Exam("replay", "departure", "accepted", mark, a_dose=FEW)
