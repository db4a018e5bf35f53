"""Exams of instruments for runs, on planted records. One exam a file; `lens.exam` finds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from lens import exam
from lens.exam import FEW, Read, read_from
from lens.planted import Family, find_family

__all__ = ["FEW", "Exam", "Read"]


@dataclass(frozen=True)
class Exam(exam.Exam):
    """`given` are the review's settings in the exam: draws, surrogates, baseline."""

    subjects: ClassVar[str] = "runs"
    given: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    @property
    def planted(self) -> Family[Any]:
        return find_family("runs", self.family)

    @property
    def doses(self) -> tuple[float, ...]:
        return self.planted.doses

    @property
    def unit(self) -> str:
        return self.planted.unit

    def spec(self, dose: float, seed: int) -> str:
        return self.planted.spec(dose, seed)

    def read(self, dose: float, seed: int) -> Read:
        from lens.runs.review import Review

        with TemporaryDirectory() as folder:
            made = self.planted.plant(Path(folder), dose, seed)
            return read_from(self.found.run(Review(made.subject, **self.given)), made.told)

    def particulars(self) -> dict[str, Any]:
        return {"planted": self.planted.key[:16], "at-0": self.at_0, "a-dose": self.a_dose, "given": dict(self.given)}
