"""Exams of instruments for graders, on planted graders. One exam a file; `lens.exam` finds them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar

from lens.exam import FEW, PlantedExam, Read, Size, read_from

__all__ = ["ACCESS", "FEW", "Exam", "Read", "Size"]

ACCESS = "grader.source grader.replicate gold.record"


@dataclass(frozen=True)
class Exam(PlantedExam):
    """`given` are the audit's settings in the exam. With `fill`, the audit has every corpus; else the golds, each
    answered by itself."""

    subjects: ClassVar[str] = "graders"
    fill: bool = field(default=False, kw_only=True)

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
        return super().particulars() | {"given": {**self.given, "corpora": "all" if self.fill else "gold"}}
