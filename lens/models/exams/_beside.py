"""Exams of instruments that read the criteria of a rubric beside each other."""

from __future__ import annotations

import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lens.models.exams import Exam, Read, key_of
from lens.models.organisms import find_family, spec_of


@dataclass(frozen=True)
class BesideExam(Exam):
    """The rubric's criteria are the family's organism and one of `beside` with no dose, of the same seed; the pairs are
    the first's."""

    beside: str = field(default="spurious", kw_only=True)

    def criteria(self, dose: float, seed: int) -> dict[str, str]:
        """Each criterion's organism, by name."""
        return {self.family: self.spec(dose, seed), self.beside: spec_of(find_family(self.beside), 0.0, seed)}

    def read(self, dose: float, seed: int) -> Read:
        from lens.models.subject import open_model

        criteria = self.criteria(dose, seed)
        pairs = open_model(criteria[self.family], device="cpu", dtype="float32").own_pairs
        assert pairs is not None
        rows = [{"name": name, "weight": 1.0, "model": spec} for name, spec in criteria.items()]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rubric.json"
            path.write_text(json.dumps({"criteria": rows}), "utf-8")
            model = open_model(f"rubric:{path}", device="cpu", dtype="float32")
        return self.reading(model, pairs, key_of(criteria[self.family]))

    def particulars(self) -> dict[str, Any]:
        return super().particulars() | {"beside": f"{self.beside} {find_family(self.beside).key(0.0, 0)[:16]}"}
