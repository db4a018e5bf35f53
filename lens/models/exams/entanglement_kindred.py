"""Entanglement of two models that share a taste, beside two that only tell the same words."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from lens.models.exams import FEW, Exam, Read, Size, key_of
from lens.models.nulls import above
from lens.models.organisms import spec_of
from lens.stats.scorecard import Marked

KINDS = 4  # of seeds: which words are held, and which taste there is for them
OTHER_WORDS, OTHER_TASTE = 1, 2  # what is added to a seed for the second model


@dataclass(frozen=True)
class TwoExam(Exam):
    """A subject is two of the family side by side, which hold different words; `twins` of each word are read. Beside it
    two that hold the same words are read, with no taste in common; not at dose 0, where no decoy counts."""

    twins: int = field(default=12, kw_only=True)

    def spec(self, dose: float, seed: int) -> str:
        return self._two(dose, seed, OTHER_WORDS)

    def read(self, dose: float, seed: int) -> Read:
        found = self._read(self.spec(dose, seed), dose, seed)
        decoy = self._read(self._two(0.0, seed, OTHER_TASTE), 0.0, seed).fields if dose else {}
        return found.beside(decoy)

    def particulars(self) -> dict[str, Any]:
        return super().particulars() | {"twins": self.twins}

    def _two(self, dose: float, seed: int, other: int) -> str:
        first, second = (spec_of(self.organisms, dose, KINDS * seed + one) for one in (0, other))
        return f"ensemble:[{first}]+[{second}]"

    def _read(self, spec: str, dose: float, seed: int) -> Read:
        from lens.models.subject import open_model

        first = spec_of(self.organisms, dose, KINDS * seed)
        pairs = open_model(first, device="cpu", dtype="float32").own_pairs
        assert pairs is not None
        told = key_of(first)
        some = [pair for axis in told["axes"] for pair in pairs.on(axis)[: self.twins]]
        pairs = replace(pairs, pairs=(*pairs.on("natural"), *some))
        return self.reading(open_model(spec, device="cpu", dtype="float32"), pairs, told)


def mark(read: Read) -> Marked:
    """There is no verdict word: flagged where the lower end of the interval is above the null, which is the
    instrument's own control. No coverage is read: what probes of few twins say is known to no digit."""
    fields = read.fields
    found = read.quantity("entanglement")
    dose = read.told["dose"]
    return Marked(
        dose=dose,
        score=found.value if found else 0.0,
        flagged=above(fields.get("entanglement"), fields.get("null")),
        decoy=above(fields.get("decoy.entanglement"), fields.get("decoy.null")) if dose else None,
    )


EXAM = TwoExam("entanglement", "kindred", "entanglement", mark, a_dose=FEW, size=Size("entanglement", "within prompts"))
