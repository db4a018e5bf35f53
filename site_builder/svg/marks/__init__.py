"""The marks a spec's traces are drawn with, one a file.

A mark's module has `takes(trace) -> bool`, `draw(trace, x, y, pen)` and `LAYER`, its place from the ground up.
A trace may be drawn by several marks: its line, its intervals, its dots.
"""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from types import ModuleType
from typing import Any


@cache
def registry() -> tuple[ModuleType, ...]:
    """Every mark, lowest layer first."""
    found = [importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__)]
    return tuple(sorted(found, key=lambda mark: (mark.LAYER, mark.__name__)))


def marks_of(trace: dict[str, Any]) -> list[ModuleType]:
    """The marks that draw a trace. Raises ValueError for a trace that none of them knows."""
    taken = [mark for mark in registry() if mark.takes(trace)]
    if not taken:
        raise ValueError(f"no mark draws a {trace.get('type')!r} trace with mode {trace.get('mode')!r}")
    return taken
