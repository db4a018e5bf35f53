"""Exams of instruments that read the record a grader's training left, by the marks of the same instruments for runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from lens.exam import PlantedExam, Read, read_from
from lens.graders.exams import Exam


@dataclass(frozen=True)
class LoggedExam(Exam):
    """Reads the planted record, and asks the grader nothing."""

    def read(self, dose: float, seed: int) -> Read:
        from lens.access import Access
        from lens.graders.audit import Audit

        with TemporaryDirectory() as folder:
            made = self.planted.plant(Path(folder), dose, seed)
            audit = Audit(made.subject.subject, {}, Access.parse("record.record"), record=made.subject.record)
            return read_from(self.found.run(audit), made.told)


def logged(of_runs: PlantedExam, family: str) -> LoggedExam:
    """The exam of the instrument of the same name, for graders."""
    return LoggedExam(
        of_runs.instrument, family, of_runs.quantity, of_runs.mark, a_dose=of_runs.a_dose, size=of_runs.size
    )
