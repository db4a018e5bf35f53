"""Attribution patching on a word that should not matter: is the largest slope that of the head that sums the word?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, planted_head
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the head with the largest estimate is the planted one."""
    head, decoy = planted_head(read, "sums indeed"), planted_head(read, "sums filler")
    table = read.tables["heads"]
    sizes = dict(zip(table["site"], map(abs, table["estimate"]), strict=True))
    top = max(sizes, key=lambda site: sizes[site])
    return Marked(dose=read.told["dose"], score=sizes[head], flagged=top == head, decoy=top == decoy)


EXAM = Exam("attribution-patching", "overpaid", "heads", mark, sample=16, axis="overpaid", a_dose=FEW)
