"""A science for tests: `height` is normal about `mean`, `heads` comes with chance `chance`, `level` is always one."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from lens.canonical import file_digest
from lens.errors import UsageError
from lens.studies.science import Contrast, Science, Value, Values


def measure(seed: int, plant: Mapping[str, float]) -> Values:
    """One coin. `lost` is the chance that it can't be read. With $COINS each reading leaves a line there, and the
    one that reaches $COINS_END dies."""
    import numpy as np

    if count := os.environ.get("COINS"):
        path = Path(count)
        path.write_text(path.read_text() + f"{seed}\n" if path.exists() else f"{seed}\n")
        if len(path.read_text().split()) == int(os.environ.get("COINS_END", "0")):
            raise KeyboardInterrupt
    rng = np.random.default_rng(seed)
    height = float(rng.normal(plant.get("mean", 0.0)))
    heads = float(rng.random() < plant.get("chance", 0.5))
    lost = rng.random() < plant.get("lost", 0.0)
    return {"height": None if lost else height, "heads": heads, "level": 1.0, "size": abs(height)}


def read(spec: str, seed: int, plant: Mapping[str, float]) -> Values:
    """A coin that lies in a file, as the number in it; with `thrown`, thrown that far from it."""
    import numpy as np

    height = float(_there(spec).read_text()) + plant.get("thrown", 0.0) * np.random.default_rng(seed).normal()
    return {"height": height, "heads": 1.0, "level": 1.0, "size": 1.0}


def fingerprint(spec: str) -> str:
    return file_digest(_there(spec))


def _there(spec: str) -> Path:
    path = Path(spec)
    if not path.exists():
        raise UsageError(f"{spec} isn't there")
    return path


SCIENCE = Science(
    "coin",
    "Coins",
    version=1,
    unit="coin",
    measure=measure,
    values={
        "height": Value("height", "difference"),
        "heads": Value("coins", "count", "share"),
        "level": Value("level", "difference"),
        "size": Value("size", "proportion"),
    },
    contrasts={
        "told": Contrast("height", "auc", ("heavy", "light"), "AUC", "proportion"),
        "more": Contrast("height", "difference", ("heavy", "light"), "height", "difference"),
    },
)

SEALED = Science(
    "sealed-coin",
    "Coins in files",
    version=1,
    unit="coin",
    measure=measure,
    values={"height": Value("height", "difference"), "heads": Value("coins", "count", "share")},
    null="coins about nought",
    null_plant={"mean": 0.0},
    read=read,
    fingerprint=fingerprint,
)
