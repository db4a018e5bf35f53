"""Exams: an instrument read on a series of planted subjects, and marked against what was planted. One exam a file.

Each kind of subject has its own, under `lens/<subjects>/exams/`. A scorecard (trust conventions, B) is made of marks
(lens.stats.scorecard), one a subject with a seed of its own. What counts as found is the instrument's own verdict,
read from its fields; an exam adds nothing to it.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any, ClassVar, NamedTuple

from lens.instrument import Instrument, find
from lens.planted import Family, find_family
from lens.reading import Columns, Declined, Field, Label, Quantity, Reading, Result, fields_of
from lens.stats.scorecard import LEAST_A_DOSE, LEAST_AT_0, Marked

KINDS = ("graders", "models", "runs")
AT_0 = LEAST_AT_0
FEW = LEAST_A_DOSE  # subjects a dose where no interval is claimed
APART = 1000  # seeds between one dose and the next: no two subjects of a series share a design


class Read(NamedTuple):
    """A reading on one planted subject: its fields and tables, and the subject's answer key."""

    fields: Mapping[str, Field]
    tables: Mapping[str, Columns]
    told: Mapping[str, Any]

    def quantity(self, name: str) -> Quantity | None:
        """The field, where it was measured."""
        found = self.fields.get(name)
        return found if isinstance(found, Quantity) else None

    def beside(self, decoy: Mapping[str, Field]) -> Read:
        """With the fields of a second reading as `decoy.NAME`."""
        return self._replace(fields={**self.fields, **{f"decoy.{name}": field for name, field in decoy.items()}})

    def word(self, name: str) -> str:
        found = self.fields.get(name)
        return found.value if isinstance(found, Label) else ""


class Size(NamedTuple):
    """Which fields of a reading a mark's score is the size of: `spurious.d`, or `*.d` of any axis; with bars around,
    `|*.d|`, whatever its sign; a count by its share. `unit` is the size's."""

    fields: str
    unit: str


class Unit(NamedTuple):
    """One planted subject of a series."""

    dose: float
    seed: int


@dataclass(frozen=True)
class Exam(ABC):
    """`quantity` is the field that is marked, by `mark`. `limit` says what the instrument is known not to see: such a
    card shows the blind spot and calibrates nothing. `a_dose` subjects are read at each positive dose: enough for
    coverage to be judged, fewer where no interval is claimed; a card of fewer than the conventions ask is provisional.
    `part` names one of several verdicts of an instrument that are marked on the same family. `size` says where a
    reading's size stands that may be held against those of the series; None where it is in units of one subject alone
    (a model's rewards), or in no field.
    """

    subjects: ClassVar[str]
    instrument: str
    family: str
    quantity: str
    mark: Callable[[Read], Marked]
    a_dose: int = field(default=FEW, kw_only=True)
    at_0: int = field(default=AT_0, kw_only=True)
    limit: str = field(default="", kw_only=True)
    part: str = field(default="", kw_only=True)
    size: Size | None = field(default=None, kw_only=True)

    @property
    def name(self) -> str:
        return f"{self.instrument}~{self.variant}"

    @property
    def variant(self) -> str:
        """Of its scorecard: the family, and the part of the instrument that is marked."""
        return f"{self.family}-{self.part}" if self.part else self.family

    @property
    def found(self) -> Instrument:
        """The instrument, as registered."""
        found = find(self.subjects, self.instrument)
        assert found is not None, self.instrument
        return found

    @property
    @abstractmethod
    def doses(self) -> tuple[float, ...]:
        """Of the series, 0 first."""

    @property
    @abstractmethod
    def unit(self) -> str:
        """Of a dose."""

    @abstractmethod
    def spec(self, dose: float, seed: int) -> str:
        """How the planted subject is named."""

    @abstractmethod
    def read(self, dose: float, seed: int) -> Read:
        """Plant the subject, and read it by the exam's instrument alone."""

    @abstractmethod
    def particulars(self) -> dict[str, Any]:
        """What else decides the marks: digests of what plants the subjects, and what the instrument is given."""

    def units(self) -> list[Unit]:
        """The series, dose 0 first."""
        return [
            Unit(dose, place * APART + number)
            for place, dose in enumerate(self.doses)
            for number in range(self.at_0 if dose == 0 else self.a_dose)
        ]

    def examine(self, dose: float, seed: int) -> Marked:
        """The mark of one planted subject."""
        return self.mark(self.read(dose, seed))

    def parameters(self) -> dict[str, Any]:
        """What a scorecard is of."""
        instrument = self.found
        given: dict[str, Any] = {
            "instrument": instrument.name,
            "version": instrument.version,
            "subjects": self.subjects,
            "quantity": self.quantity,
            "family": self.family,
            "doses": list(self.doses),
        }
        given |= self.particulars()
        return given | {name: value for name in ("limit", "part") if (value := getattr(self, name))}


@dataclass(frozen=True)
class PlantedExam(Exam):
    """An exam on a family that is made in no time. `given` are the settings its instrument is read with."""

    given: Mapping[str, Any] = field(default_factory=dict, kw_only=True)

    @property
    def planted(self) -> Family[Any]:
        return find_family(self.subjects, self.family)

    @property
    def doses(self) -> tuple[float, ...]:
        return self.planted.doses

    @property
    def unit(self) -> str:
        return self.planted.unit

    def spec(self, dose: float, seed: int) -> str:
        return self.planted.spec(dose, seed)

    def particulars(self) -> dict[str, Any]:
        return {"planted": self.planted.key[:16], "at-0": self.at_0, "a-dose": self.a_dose, "given": dict(self.given)}


def read_from(got: Result | Reading, told: Mapping[str, Any]) -> Read:
    """What an instrument returned, beside the answer key."""
    reading, tables = (got.reading, got.tables) if isinstance(got, Result) else (got, {})
    return Read(fields_of(reading), tables, told)


def declined(read: Read, name: str) -> bool:
    """Whether a field, or the whole reading, was declined."""
    return isinstance(read.fields.get(name, read.fields.get("declined")), Declined)


@cache
def exams_of(subjects: str) -> dict[str, Exam]:
    """Every exam for a kind of subject by name, `instrument~variant`."""
    package = importlib.import_module(f"lens.{subjects}.exams")
    found: list[Exam] = [
        importlib.import_module(f"{package.__name__}.{info.name}").EXAM
        for info in pkgutil.iter_modules(package.__path__)
        if not info.name.startswith("_")
    ]
    return {exam.name: exam for exam in sorted(found, key=lambda exam: exam.name)}


@cache
def exams() -> dict[str, Exam]:
    """Every exam of every kind, by name: two kinds share no family, so that a name is one exam's alone."""
    return {name: exam for kind in KINDS for name, exam in exams_of(kind).items()}
