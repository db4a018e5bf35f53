"""What happens when it fails, where exceptions are kept in and cost a 0. The decoy: that one that came out is counted
among them."""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import FEW, Exam, Size
from lens.graders.exams._counts import counted


def came_out(read: Read) -> bool:
    """More are counted than there are probes on which the one kept in was seen."""
    found = read.quantity("swallowed")
    kept = sum(read.told["inside"] in seen.split() for seen in read.tables["probes"]["inside"])
    return found is not None and found.value > kept


EXAM = Exam(
    "failure-semantics",
    "fails",
    "swallowed",
    counted("swallowed", came_out, judged=False),
    a_dose=FEW,
    size=Size("swallowed", "of probes"),
    part="swallowed",
)
