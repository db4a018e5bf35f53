"""Legibility on a reward of which a known share can be written down."""

from __future__ import annotations

from lens.models.exams import Exam, Read, Size
from lens.models.nulls import above
from lens.stats.scorecard import Marked


def mark(read: Read) -> Marked:
    """Flagged where the fidelity lies above its null. The interval is that of the tacit share, which is what the
    predicates leave."""
    fidelity, tacit = read.quantity("fidelity"), read.quantity("tacit")
    interval = tacit.interval if tacit else None
    return Marked(
        dose=read.told["dose"],
        score=fidelity.value if fidelity else 0.0,
        flagged=fidelity is not None and above(fidelity, read.fields["null"]),
        truth=1 - read.told["dose"],
        low=interval.low if interval else None,
        high=interval.high if interval else None,
    )


EXAM = Exam("legibility", "legible", "tacit", mark, size=Size("fidelity", "inside prompts"))
