"""Sciences: what is measured on one subject of a study, and the fields of evidence it makes. One science a file.

A file of `lens/studies/sciences`, or of `lens/studies/at_scale`, holds one `SCIENCE`, found here and listed nowhere
else.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Literal

from lens.reading import Kind

Statistic = Literal["mean", "share", "ratio", "difference", "auc", "trend"]
Values = dict[str, float | None]
"""What was read on one subject, by name; None where it couldn't be."""


@dataclass(frozen=True)
class Value:
    """A number read on each subject, whose mean (or share, of 0 and 1) over an arm is the field `<name>.<arm>`."""

    unit: str
    kind: Kind
    statistic: Literal["mean", "share"] = "mean"


@dataclass(frozen=True)
class Contrast:
    """A field made of one value in several arms: `ratio`, `difference` and `auc` of the first against the second,
    `trend` over all in rising order. Its name is `<value>.<name>`."""

    value: str
    statistic: Literal["ratio", "difference", "auc", "trend"]
    arms: tuple[str, ...]
    unit: str
    kind: Kind


@dataclass(frozen=True)
class Science:
    """`measure(seed, plant)` builds one subject and reads it: a plain function of a module, which workers call.

    `null` says in words what a null subject is; `null_plant` is planted over an arm's own. Without one, null
    subjects are the arms' with their labels shuffled. `seconds` is what one subject costs, for a progress bar.
    `read(spec, seed, plant)` reads a subject that is there already, and `fingerprint(spec)` says which it is, for
    studies whose subjects are sealed or named; both raise UsageError where it isn't there. Null subjects are then
    `null_plant`'s.
    """

    name: str
    title: str
    version: int
    unit: str
    measure: Callable[[int, Mapping[str, float]], Values]
    values: Mapping[str, Value]
    contrasts: Mapping[str, Contrast] = field(default_factory=dict)
    seconds: float = 0.1
    null: str = "arms' labels shuffled"
    null_plant: Mapping[str, float] | None = None
    source: str = ""
    read: Callable[[str, int, Mapping[str, float]], Values] | None = None
    fingerprint: Callable[[str], str] | None = None

    def fields(self, arms: Mapping[str, int]) -> dict[str, tuple[Statistic, str, tuple[str, ...]]]:
        """Every field it makes of these arms: statistic, value and arms behind it."""
        found: dict[str, tuple[Statistic, str, tuple[str, ...]]] = {
            f"{name}.{arm}": (value.statistic, name, (arm,)) for name, value in self.values.items() for arm in arms
        }
        for name, one in self.contrasts.items():
            if set(one.arms) <= set(arms):
                found[f"{one.value}.{name}"] = (one.statistic, one.value, one.arms)
        return found

    def measured_in(self, field: str) -> tuple[str, Kind]:
        """The unit and kind of one of its fields, as a number of its own: a share's is a proportion."""
        value, _, name = field.partition(".")
        contrast = self.contrasts.get(name)
        if contrast is not None and contrast.value == value:
            return contrast.unit, contrast.kind
        if self.values[value].statistic == "share":
            return f"of {self.values[value].unit}", "proportion"
        return self.values[value].unit, self.values[value].kind


@cache
def sciences() -> dict[str, Science]:
    """Every science by name."""
    from lens.studies import at_scale
    from lens.studies import sciences as small

    found: list[Science] = [
        importlib.import_module(f"{package.__name__}.{info.name}").SCIENCE
        for package in (small, at_scale)
        for info in pkgutil.iter_modules(package.__path__)
        if not info.name.startswith("_")
    ]
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}
