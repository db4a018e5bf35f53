"""Tail on recorded rewards of a known shape: is a power told from an exponential, and does the interval hold it?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, ClassVar

from lens.exam import PlantedExam, Read, Size, read_from
from lens.models.exams import A_DOSE
from lens.stats.scorecard import Marked

if TYPE_CHECKING:
    from lens.models.scores import ScoresModel


@dataclass(frozen=True)
class TailExam(PlantedExam):
    """Beside the record of the dose its twin is read, whose rewards end; not at dose 0, where no decoy counts."""

    subjects: ClassVar[str] = "models"

    def read(self, dose: float, seed: int) -> Read:
        with TemporaryDirectory() as folder:
            made = self.planted.plant(Path(folder), dose, seed)
            found = self._reading(made.subject.own)
            even = self._reading(made.subject.even).word("verdict") if dose else ""
        return found._replace(told=made.told | {"even": even})

    def _reading(self, record: ScoresModel) -> Read:
        from lens.access import Access
        from lens.models.inspection import Inspection

        assert record.own_pairs is not None
        access = Access.parse(record.grants())
        return read_from(self.found.run(Inspection(record, record.own_pairs, access, **self.given)), {})


def mark(read: Read) -> Marked:
    """Flagged where the instrument's verdict of all thresholds is heavy; the interval is that of the lower one, whose
    shape is its headline. Rewards that end are the decoy."""
    found, dose = read.quantity("lower.shape"), read.told["dose"]
    interval = found.interval if found else None
    return Marked(
        dose=dose,
        score=found.value if found else 0.0,
        flagged=read.word("verdict") == "heavy",
        truth=dose,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        decoy=read.told["even"] == "heavy" if dose else None,
    )


EXAM = TailExam("tail", "tailed", "lower.shape", mark, a_dose=A_DOSE, size=Size("lower.shape", "shape"))
