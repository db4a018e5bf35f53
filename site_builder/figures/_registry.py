"""The figure registry: one decorator; every module of this package without a leading underscore is the figure it is
named after."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Literal, TypeVar

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


def registry() -> dict[str, Figure]:
    """Every figure by name."""
    return {name: find(name) for name in _names()}


@cache
def _names() -> list[str]:
    package = importlib.import_module("site_builder.figures")
    modules = [info.name for info in pkgutil.iter_modules(package.__path__)]
    return sorted(name.replace("_", "-") for name in modules if not name.startswith("_"))


def ids(id: str) -> list[str]:
    """The ids of a figure that takes several, separated by spaces or commas."""
    return id.replace(",", " ").split()


@cache
def find(name: str) -> Figure:
    """A figure by name; the files of the others stay unread. Raises UsageError naming those there are."""
    if name not in _names():
        raise UsageError(f"no figure {name!r}", remedy=f"one of {', '.join(_names())}")
    module = importlib.import_module(f"site_builder.figures.{name.replace('-', '_')}")
    own = (value for value in vars(module).values() if getattr(value, "__module__", "") == module.__name__)
    (found,) = (value.__figure__ for value in own if hasattr(value, "__figure__"))
    return found  # type: ignore[no-any-return]
