"""Exams of instruments that give one figure for all pairs: the decoy is the same instrument on other axes."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from lens.models.exams import Exam, Read, key_of


@dataclass(frozen=True)
class TwiceExam(Exam):
    """`decoy_axis` are the axes of the second reading; its fields are `decoy.NAME`."""

    decoy_axis: str = field(kw_only=True)

    def read(self, dose: float, seed: int) -> Read:
        from lens.models.subject import open_model

        spec = self.spec(dose, seed)
        model = open_model(spec, device="cpu", dtype="float32")
        assert model.own_pairs is not None
        one, other = (
            exam.reading(model, model.own_pairs, key_of(spec)) for exam in (self, replace(self, axis=self.decoy_axis))
        )
        return one.beside(other.fields)

    def particulars(self) -> dict[str, Any]:
        return super().particulars() | {"decoy-axis": self.decoy_axis}
