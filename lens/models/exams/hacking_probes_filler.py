"""The length probe on a model that pays for length: it brings its own filler words, and knows no axis."""

from __future__ import annotations

from lens.models.exams import FEW, Exam, Read, Size, moved
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """No coverage is read: with words that nothing else of the model hears, a slope has no sampling error, and its
    interval is narrower than what is planted is known to.
    """
    size = read.quantity("length.d")
    return Marked(dose=read.told["dose"], score=abs(size.value) if size else 0.0, flagged=moved(read, "length"))


EXAM = Exam("hacking-probes", "filler", "length.slope", mark, a_dose=FEW, size=Size("|length.d|", "s_r"))
