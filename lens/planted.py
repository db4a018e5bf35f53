"""Families of planted subjects that are made in no time, at any dose: what an exam's series is drawn from.

One family a file, under `lens/runs/planted/`, `lens/graders/planted/` and `lens/models/planted/`, which are records of
scores. (Planted models with weights have a folder of their own: lens.models.organisms.)
"""

from __future__ import annotations

import difflib
import hashlib
import importlib
import importlib.util
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

from lens.canonical import digest
from lens.errors import UsageError

S = TypeVar("S")


class Made(NamedTuple, Generic[S]):
    """One planted subject, and its answer key."""

    subject: S
    told: dict[str, Any]


@dataclass(frozen=True)
class Family(Generic[S]):
    """`doses` are those of its series, 0 first; `plant(folder, dose, seed)` makes one subject in an empty folder.

    `code` are the modules that decide what it makes.
    """

    name: str
    title: str
    unit: str
    doses: tuple[float, ...]
    plant: Callable[[Path, float, int], Made[S]]
    code: tuple[str, ...]

    @property
    def key(self) -> str:
        """Digest of what decides the series' subjects."""
        return digest({"code": {name: _text(name) for name in self.code}, "doses": list(self.doses)})

    def spec(self, dose: float, seed: int) -> str:
        return f"planted:{self.name}?dose={dose:g}&seed={seed}"


@cache
def families(subjects: str) -> dict[str, Family[Any]]:
    """Every family of a kind of subject (of models, those that are records) by name."""
    package = importlib.import_module(f"lens.{subjects}.planted")
    found: list[Family[Any]] = [
        importlib.import_module(f"{package.__name__}.{info.name}").FAMILY
        for info in pkgutil.iter_modules(package.__path__)
        if not info.name.startswith("_")
    ]
    return {family.name: family for family in sorted(found, key=lambda family: family.name)}


def find_family(subjects: str, name: str) -> Family[Any]:
    """Raises UsageError, with the names there are, for any other."""
    known = families(subjects)
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=1)
    raise UsageError(
        f"no family of planted {subjects} is called {name!r}" + (f": did you mean {near[0]}?" if near else ""),
        remedy=f"one of {', '.join(known)}",
    )


def _text(module: str) -> str:
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None
    return hashlib.sha256(Path(spec.origin).read_bytes()).hexdigest()
