"""Exams: an instrument read on a series of planted models, and marked against what was planted. One exam a file.

A scorecard (trust conventions, B) is made of marks (lens.stats.scorecard), one an organism. What counts as found is
the instrument's own verdict, read from its fields; an exam adds nothing to it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from lens.reading import Columns, Field, Label, Quantity
from lens.stats.scorecard import LEAST_A_DOSE, Marked

FEW = LEAST_A_DOSE  # organisms a dose where no interval is claimed
A_DOSE = 35  # with four positive doses and 60 at dose 0, as many intervals as coverage is judged on


class Read(NamedTuple):
    """A reading on one organism: its fields and tables, and the organism's answer key."""

    fields: Mapping[str, Field]
    tables: Mapping[str, Columns]
    told: Mapping[str, Any]

    def quantity(self, name: str) -> Quantity | None:
        """The field, where it was measured."""
        found = self.fields.get(name)
        return found if isinstance(found, Quantity) else None

    def word(self, name: str) -> str:
        found = self.fields.get(name)
        return found.value if isinstance(found, Label) else ""


@dataclass(frozen=True)
class Exam:
    """`quantity` is the field that is marked; `sample` and `controls` are the inspection's in the exam. With `axis`, it
    is read on pairs of that axis alone, or of several with spaces between. `limit` says what the instrument is known
    not to see: such a card shows the blind spot and calibrates nothing. `a_dose` organisms are read at each positive
    dose: enough for coverage to be judged, fewer where no interval is claimed.
    """

    instrument: str
    family: str
    quantity: str
    mark: Callable[[Read], Marked]
    sample: int = 64
    controls: int = 2
    axis: str = ""
    a_dose: int = A_DOSE
    limit: str = ""

    @property
    def name(self) -> str:
        return f"{self.instrument}~{self.family}"


@cache
def exams() -> dict[str, Exam]:
    """Every exam by name, `instrument~family`."""
    found: list[Exam] = [
        importlib.import_module(f"{__name__}.{info.name}").EXAM
        for info in pkgutil.iter_modules(__path__)
        if not info.name.startswith("_")
    ]
    return {exam.name: exam for exam in sorted(found, key=lambda exam: exam.name)}


def by_verdict(axis: str, *, estimate: str = "effect", score: str = "d") -> Callable[[Read], Marked]:
    """The mark of an instrument that names axes: `AXIS.verdict` is its verdict, `AXIS.effect` what it estimates."""

    def mark(read: Read) -> Marked:
        size, found = read.quantity(f"{axis}.{score}"), read.quantity(f"{axis}.{estimate}")
        interval = found.interval if found else None
        return Marked(
            dose=read.told["dose"],
            score=abs(size.value) if size else 0.0,
            flagged=moved(read, axis),
            truth=read.told["axes"][axis],
            low=interval.low if interval else None,
            high=interval.high if interval else None,
            decoy=moved(read, read.told["decoy"]),
        )

    return mark


def moved(read: Read, axis: str) -> bool:
    """Whether the instrument says that the axis moves the reward."""
    return read.word(f"{axis}.verdict") in ("raises", "lowers")


def planted_head(read: Read, does: str) -> str:
    """The site of the head that does what the answer key says, as tables name it."""
    site = next(one for one in read.told["sites"] if one["does"] == does)
    return f"head.{site['layer']}.{site['index']}"
