"""Organisms: reward models with a rule planted by construction, so that what an instrument finds can be marked.

`clean` and `length` are trained on planted preferences (a minute on one thread). The other families have their weights
set by hand, in no time and at any dose: what a flip of one feature is worth is known to a stated tolerance.

    organism:length                     the trained one, seed 0
    organism:gate?dose=1&seed=3         a hand-set one
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError
from pathlib import Path

from lens.errors import UsageError
from lens.models import spec as specs
from lens.models.organisms.family import Family, Step
from lens.models.organisms.kept import place, whole

OPTIONS = ("dose", "seed")


@dataclass(frozen=True)
class Found:
    """An organism on this machine. `rules` say in plain words what is planted."""

    spec: str
    family: Family
    dose: float
    seed: int
    path: Path
    rules: tuple[str, ...]

    @property
    def pairs(self) -> Path:
        """Its pairs, JSONL: prompt, chosen, rejected, axis, lineage."""
        return self.path / "pairs.jsonl"


@cache
def organisms() -> dict[str, Family]:
    """Every family by name."""
    package = importlib.import_module(f"{__name__}.families")
    found: list[Family] = [
        importlib.import_module(f"{package.__name__}.{info.name}").FAMILY
        for info in pkgutil.iter_modules(package.__path__)
    ]
    return {family.name: family for family in sorted(found, key=lambda family: family.name)}


def find_family(name: str) -> Family:
    """Raises UsageError, with the names there are, for any other."""
    if name in organisms():
        return organisms()[name]
    near = difflib.get_close_matches(name, organisms(), n=1)
    raise UsageError(
        f"no organism is called {name!r}" + (f": did you mean {near[0]}?" if near else ""),
        remedy=f"one of {', '.join(organisms())}",
    )


def build(
    name: str, dose: float | None = None, seed: int = 0, *, out: Path | None = None, step: Step = lambda _: None
) -> Path:
    """The organism's folder in the cache (or `out`), made where it isn't there yet.

    `dose` defaults to the family's own. Raises UsageError for an unknown family, a dose below 0 or for a family
    without one, and a folder that can't be written.
    """
    family = find_family(name)
    dose = _dose(family, dose)

    def make(folder: Path) -> None:
        family.write(folder, dose, seed, step)

    return whole(out or place(name, family.key(dose, seed)), make)


def is_built(name: str, dose: float | None = None, seed: int = 0) -> bool:
    """Whether the organism lies in the cache. Raises UsageError as `build`."""
    family = find_family(name)
    return place(name, family.key(_dose(family, dose), seed)).is_dir()


def resolve_organism(spec: str, *, step: Step = lambda _: None) -> Found:
    """The organism that `spec` names (`organism:NAME?dose=1&seed=3`), built where it isn't there yet.

    Raises UsageError as `build` does, and for an option that isn't `dose` or `seed`.
    """
    family, dose, seed = _named(spec)
    path = build(family.name, dose if family.doses else None, seed, step=step)
    return Found(spec_of(family, dose, seed), family, dose, seed, path, family.rules(dose))


def standing(spec: str) -> Path | None:
    """The folder of the organism that `spec` names where this release of everything has built it; nothing is built.

    Raises UsageError as `resolve_organism` does.
    """
    family, dose, seed = _named(spec)
    try:
        path = place(family.name, family.key(dose, seed))
    except PackageNotFoundError:
        return None
    return path if path.is_dir() else None


def _named(spec: str) -> tuple[Family, float, int]:
    kind, name, options = specs.parse(spec if spec.startswith("organism:") else f"organism:{spec}")
    assert kind == "organism"
    specs.only(options, OPTIONS, spec)
    family = find_family(name)
    dose = _dose(family, specs.number(options, "dose", family.default, spec) if "dose" in options else None)
    seed = specs.number(options, "seed", 0, spec)
    if seed != int(seed):
        raise UsageError(f"{spec}: seed is {seed:g}", remedy="a whole number, for example ?seed=3")
    return family, dose, int(seed)


def spec_of(family: Family, dose: float, seed: int) -> str:
    """How the organism is named; what is the default is left out.

    >>> spec_of(find_family("length"), 0.0, 0)
    'organism:length'
    """
    options = [f"dose={dose:g}"] * (bool(family.doses) and dose != family.default) + [f"seed={seed}"] * bool(seed)
    return f"organism:{family.name}" + (f"?{'&'.join(options)}" if options else "")


def _dose(family: Family, dose: float | None) -> float:
    if dose is None:
        return family.default
    if not family.doses:
        raise UsageError(f"{family.name} is trained on fixed rules and has no dose", remedy="leave dose out")
    if dose < 0:
        raise UsageError(f"{family.name}: a dose is 0 or more, not {dose:g}", remedy=f"one of {family.doses}")
    return dose
