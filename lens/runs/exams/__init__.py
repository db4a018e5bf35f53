"""Exams of instruments for runs, on planted records. One exam a file; `lens.exam` finds them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import ClassVar

from lens.exam import FEW, PlantedExam, Read, Size, read_from

__all__ = ["FEW", "Exam", "Read", "Size"]


@dataclass(frozen=True)
class Exam(PlantedExam):
    """`given` are the review's settings in the exam: draws, surrogates, baseline."""

    subjects: ClassVar[str] = "runs"

    def read(self, dose: float, seed: int) -> Read:
        from lens.runs.review import Review

        with TemporaryDirectory() as folder:
            made = self.planted.plant(Path(folder), dose, seed)
            return read_from(self.found.run(Review(made.subject, **self.given)), made.told)
