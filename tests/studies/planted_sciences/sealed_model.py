"""A science for tests: planted models that are there already, and a number that is always the same."""

from __future__ import annotations

from collections.abc import Mapping

from lens.studies.science import Science, Value, Values
from lens.studies.sciences.length_premium import fingerprint


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    return {"found": plant.get("found", float(seed % 2))}


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    return {"found": 1.0}


SCIENCE = Science(
    "sealed-model",
    "Models",
    version=1,
    unit="model",
    measure=measure,
    values={"found": Value("models", "count", "share")},
    null="models without it",
    null_plant={"found": 0.0},
    read=read,
    fingerprint=fingerprint,
)
