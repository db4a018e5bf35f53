"""Exams of instruments for graders, on planted graders. One exam a file; `lens.exam` finds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from lens import exam
from lens.exam import FEW, Read, read_from
from lens.planted import Family, find_family

__all__ = ["ACCESS", "FEW", "Exam", "Read"]

ACCESS = "grader.source grader.replicate gold.record"


@dataclass(frozen=True)
class Exam(exam.Exam):
    """`given` are the audit's settings in the exam. With `fill`, the audit has every corpus; else the golds, each
    answered by itself."""

    subjects: ClassVar[str] = "graders"
    fill: bool = field(default=False, kw_only=True)
    given: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    @property
    def planted(self) -> Family[Any]:
        return find_family("graders", self.family)

    @property
    def doses(self) -> tuple[float, ...]:
        return self.planted.doses

    @property
    def unit(self) -> str:
        return self.planted.unit

    def spec(self, dose: float, seed: int) -> str:
        return self.planted.spec(dose, seed)

    def read(self, dose: float, seed: int) -> Read:
        """The grader runs in the sandbox, as every grader does."""
        from lens.access import Access
        from lens.graders import corpora
        from lens.graders.audit import Audit

        with TemporaryDirectory() as folder:
            made = self.planted.plant(Path(folder), dose, seed)
            grader, source = made.subject.subject, made.subject.source
            audit = Audit(grader, {"gold": made.subject.gold()}, Access.parse(ACCESS), source=source, **self.given)
            if self.fill:
                corpora.fill(audit, source)
            return read_from(self.found.run(audit), made.told)

    def particulars(self) -> dict[str, Any]:
        return {
            "planted": self.planted.key[:16],
            "at-0": self.at_0,
            "a-dose": self.a_dose,
            "given": {**self.given, "corpora": "all" if self.fill else "gold"},
        }
