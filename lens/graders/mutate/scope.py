"""Which files count as the grader's own: those of its distribution."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType


def home_of(module: ModuleType, path: str) -> Path:
    """The folder of the top package that a module belongs to; of a module by itself, the folder it lies in."""
    file = Path(path)
    steps = module.__name__.count(".") + (file.name == "__init__.py")
    return file.parents[max(steps - 1, 0)]


def scope_of(module: ModuleType, path: str) -> Callable[[str], bool]:
    """Whether a source file is in scope. Beside a module that is in no package, only its neighbours are."""
    home = home_of(module, path)
    if "." in module.__name__ or Path(path).name == "__init__.py":
        return lambda file: home in Path(file).parents
    return lambda file: Path(file).parent == home
