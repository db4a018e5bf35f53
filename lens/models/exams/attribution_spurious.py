"""Attribution on a word that should not matter: does it name the head that sums the word?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, planted_head
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the largest head is the planted one."""
    head, decoy = planted_head(read, "sums indeed"), planted_head(read, "sums filler")
    table = read.tables["heads"]
    return Marked(
        dose=read.told["dose"],
        score=abs(table["part"][table["site"].index(head)]),
        flagged=read.word("top-head") == head,
        decoy=read.word("top-head") == decoy,
    )


EXAM = Exam("attribution", "spurious", "top-head", mark, axis="spurious", a_dose=FEW)
