"""Knowledge and utilisation on a word that is written and paid for: is it used?"""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the instrument says that the reward uses the word; without a dose it is written all the same."""
    found = read.quantity("overpaid.mediate")
    return Marked(
        dose=read.told["dose"],
        score=abs(found.value) if found else 0.0,
        flagged=used(read, "overpaid"),
        decoy=used(read, read.told["decoy"]),
    )


def used(read: Read, axis: str) -> bool:
    return read.word(f"{axis}.verdict") in ("known, used", "used")


EXAM = Exam(
    "knowledge-utilisation",
    "overpaid",
    "overpaid.mediate",
    mark,
    sample=8,
    axis="overpaid filler",
    a_dose=FEW,
    size=Size("|*.mediate|", "s_r"),
)
