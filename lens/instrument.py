"""The instrument registry: one decorator, one lookup, every list on the site drawn from it.

An instrument is one file under `lens/<subjects>/instruments/`, an index of a reward one under `lens/models/indices/`,
whose function carries `@instrument`. Modules there import heavy libraries inside their functions, so that the registry
reads without them.
"""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from lens.access import Access

F = TypeVar("F", bound=Callable[..., Any])
_DECLARED = re.compile(
    r'^@instrument\(\n    "(?P<name>[^"\n]+)",(?:\n    .*)*?\n    version=(?P<version>\d+),$', re.MULTILINE
)
_HOMES = {
    "graders": ("lens.graders.instruments",),
    "models": ("lens.models.instruments", "lens.models.indices"),
    "runs": ("lens.runs.instruments",),
}


@dataclass(frozen=True)
class Instrument:
    """What the registry knows. `version` is raised by hand when an instrument's numbers could change."""

    name: str
    subjects: str  # "graders", "models", "runs"
    title: str  # a newcomer's words, for tables: "Kill matrix"
    quantity: str  # what it measures, one line
    unit: str
    needs: Access
    cost: str  # in calls, as prose: "2 × rows"
    version: int
    order: int  # place on a card
    repeatable: bool
    declines: str  # when it declines, one line
    source: str  # paper, equation or public tool it follows
    run: Callable[..., Any]
    unanswered: bool = False  # reads even on a grader that answers nothing: it says how
    price: Callable[..., Any] | None = None  # (audit, probe) -> Price | Declined, before anything is spent

    @property
    def doc(self) -> str:
        return (self.run.__doc__ or "").strip()


def instrument(
    name: str,
    *,
    subjects: str,
    title: str,
    quantity: str,
    unit: str,
    needs: str,
    cost: str,
    version: int,
    order: int,
    repeatable: bool = True,
    declines: str = "",
    source: str = "",
    unanswered: bool = False,
    price: Callable[..., Any] | None = None,
) -> Callable[[F], F]:
    """Register the decorated function as an instrument; see `Instrument` for the arguments."""

    def register(function: F) -> F:
        entry = Instrument(
            name,
            subjects,
            title,
            quantity,
            unit,
            Access.parse(needs),
            cost,
            version,
            order,
            repeatable,
            declines,
            source,
            function,
            unanswered,
            price,
        )
        function.__instrument__ = entry  # type: ignore[attr-defined]
        return function

    return register


@cache
def registry(subjects: str) -> dict[str, Instrument]:
    """Every instrument for a kind of subject, by name, in card order."""
    packages = map(importlib.import_module, _HOMES[subjects])
    found = [
        entry
        for package in packages
        for info in pkgutil.iter_modules(package.__path__)
        for entry in _inside(package.__name__, info.name)
    ]
    return {entry.name: entry for entry in sorted(found, key=lambda entry: (entry.order, entry.name))}


@cache
def find(subjects: str, name: str) -> Instrument | None:
    """One instrument, from the file named after it where there is one: the others stay unread.

    Raises KeyError for a kind of subject that has no instruments.
    """
    module = name.replace("-", "_")
    for home in _HOMES[subjects]:
        if importlib.util.find_spec(f"{home}.{module}") is not None:
            for entry in _inside(home, module):
                if entry.name == name:
                    return entry
    return registry(subjects).get(name)


@cache
def version(subjects: str, name: str) -> int | None:
    """The version one instrument declares; None where there is no such instrument.

    Read from the text of its file where that says it plainly: importing an instrument to compare one number, as the
    claims check does for each that a text quotes, brings everything it measures with. Raises KeyError as `find` does.
    """
    for folder in (path for home in _HOMES[subjects] for path in importlib.import_module(home).__path__):
        try:
            text = Path(folder, f"{name.replace('-', '_')}.py").read_text("utf-8")
        except OSError:
            continue
        for declared in _DECLARED.finditer(text):
            if declared["name"] == name:
                return int(declared["version"])
    entry = find(subjects, name)
    return entry.version if entry else None


def _inside(package: str, name: str) -> list[Instrument]:
    module = importlib.import_module(f"{package}.{name}")
    return [
        value.__instrument__
        for value in vars(module).values()
        if hasattr(value, "__instrument__") and value.__module__ == module.__name__
    ]
