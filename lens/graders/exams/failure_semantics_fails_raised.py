"""What happens when it fails, where exceptions come out. The decoy: that one of those kept in is said to."""

from __future__ import annotations

from lens.exam import Read
from lens.graders.exams import FEW, Exam, Size
from lens.graders.exams._counts import counted


def kept(read: Read) -> bool:
    table = read.tables["probes"]
    came_out = [name for way, name in zip(table["way"], table["type"], strict=True) if way == "raised"]
    return read.told["inside"] in came_out


EXAM = Exam(
    "failure-semantics",
    "fails",
    "raised",
    counted("raised", kept, judged=False),
    a_dose=FEW,
    size=Size("raised", "of probes"),
    part="raised",
)
