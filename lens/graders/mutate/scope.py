"""Which files count as the grader's own: those of its distribution."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import ModuleType


def _folder(path: str) -> str:
    return path.rpartition("/")[0]


def home_of(module: ModuleType, path: str) -> str:
    """The folder of the top package that a module belongs to; of a module by itself, the folder it lies in."""
    home = _folder(path)
    steps = module.__name__.count(".") + path.endswith("/__init__.py")
    for _ in range(steps - 1):
        home = _folder(home)
    return home


def scope_of(module: ModuleType, path: str) -> Callable[[str], bool]:
    """Whether a source file is in scope. Beside a module that is in no package, only its neighbours are."""
    home = home_of(module, path)
    if "." in module.__name__ or path.endswith("/__init__.py"):
        return cache(lambda file: file.startswith(f"{home}/"))
    return cache(lambda file: _folder(file) == home)
