"""Exams of instruments for models, on organisms. One exam a file; `lens.exam` finds them."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from lens import exam
from lens.exam import FEW, Read, Size, read_from
from lens.models.organisms import find_family, resolve_organism, spec_of
from lens.models.organisms.family import Family
from lens.stats.scorecard import Marked

if TYPE_CHECKING:
    from lens.models.model import RewardModel
    from lens.models.pairs import Pairs

__all__ = ["EFFECT", "FEW", "Exam", "Read", "Size", "by_verdict", "moved", "planted_head"]

EFFECT = Size("|*.d|", "s_r")
A_DOSE = 35  # with four positive doses and 60 at dose 0, as many intervals as coverage is judged on


@dataclass(frozen=True)
class Exam(exam.Exam):
    """`sample` and `controls` are the inspection's in the exam. With `axis`, the instrument is read on pairs of that
    axis alone, or of several with spaces between."""

    subjects: ClassVar[str] = "models"
    a_dose: int = field(default=A_DOSE, kw_only=True)
    sample: int = field(default=64, kw_only=True)
    controls: int = field(default=2, kw_only=True)
    axis: str = field(default="", kw_only=True)

    @property
    def organisms(self) -> Family:
        return find_family(self.family)

    @property
    def doses(self) -> tuple[float, ...]:
        return self.organisms.doses

    @property
    def unit(self) -> str:
        return self.organisms.unit

    def spec(self, dose: float, seed: int) -> str:
        return spec_of(self.organisms, dose, seed)

    def read(self, dose: float, seed: int) -> Read:
        """The organism is built in the cache."""
        from lens.models.subject import open_model

        spec = self.spec(dose, seed)
        model = open_model(spec, device="cpu", dtype="float32")
        assert model.own_pairs is not None
        return self.reading(model, model.own_pairs, key_of(spec))

    def reading(self, model: RewardModel, pairs: Pairs, told: dict[str, Any]) -> Read:
        """What the instrument says of an opened model on those of the pairs that the exam is on."""
        import torch

        from lens.access import Access
        from lens.models.inspection import Inspection

        torch.set_num_threads(1)
        if self.axis:
            pairs = replace(pairs, pairs=tuple(pair for axis in self.axis.split() for pair in pairs.on(axis)))
        inspection = Inspection(model, pairs, Access.parse(model.grants()), sample=self.sample, controls=self.controls)
        return read_from(self.found.run(inspection), told)

    def particulars(self) -> dict[str, Any]:
        """`organisms` are digests of what decides their bits."""
        return {
            "organisms": [self.organisms.key(dose, 0)[:16] for dose in self.doses],
            "sample": self.sample,
            "controls": self.controls,
            "axis": self.axis,
        }


def key_of(spec: str) -> dict[str, Any]:
    """The answer key of an organism."""
    found: dict[str, Any] = json.loads((resolve_organism(spec).path / "training.json").read_text("utf-8"))
    return found


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
