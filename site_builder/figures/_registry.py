"""The figure registry: one decorator; every module of this package without a leading underscore is a figure."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from lens.errors import UsageError
from site_builder.svg import Spec

Width = Literal["wide", "narrow"]
F = TypeVar("F", bound=Callable[..., Spec])
NARROW = 350.0  # px, a phone's column


@dataclass(frozen=True)
class Figure:
    """What the registry knows: `draws` in one line, and the instruments whose ids it takes ("" for any)."""

    name: str
    draws: str
    instruments: tuple[str, ...]
    spec: Callable[..., Spec]

    @property
    def one_width(self) -> bool:
        """Whether one drawing serves both widths: such a figure takes the width as `_width` and leaves it alone."""
        return "_width" in self.spec.__code__.co_varnames

    @property
    def doc(self) -> str:
        return (self.spec.__doc__ or "").strip()


def figure(name: str, *, draws: str, instruments: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Register a function `(lookup, id, width, **options) -> Spec` as a figure."""

    def register(function: F) -> F:
        function.__figure__ = Figure(name, draws, instruments, function)  # type: ignore[attr-defined]
        return function

    return register


@cache
def registry() -> dict[str, Figure]:
    """Every figure by name."""
    package = importlib.import_module("site_builder.figures")
    found: list[Figure] = []
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith("_"):
            continue
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        found += [value.__figure__ for value in vars(module).values() if _is_own_figure(value, module.__name__)]
    return {entry.name: entry for entry in sorted(found, key=lambda entry: entry.name)}


def _is_own_figure(value: Any, module: str) -> bool:
    return hasattr(value, "__figure__") and getattr(value, "__module__", "") == module


def ids(id: str) -> list[str]:
    """The ids of a figure that takes several, separated by spaces or commas."""
    return id.replace(",", " ").split()


def find(name: str) -> Figure:
    """A figure by name. Raises UsageError naming those there are."""
    try:
        return registry()[name]
    except KeyError:
        raise UsageError(f"no figure {name!r}", remedy=f"one of {', '.join(registry())}") from None
