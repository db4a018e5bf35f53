"""Repairs of graders with an open case: what a maintainer would change, one grader a file, by class of defect.

No source of anybody else's is kept here: a repair names a few characters to exchange, or a function of our own
to put around one of the grader's, and is applied to the fetched file when a test runs.
"""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from lens.graders.subject import GraderSubject

_AROUND = """
def _around(before, after):
    def call(*given, **named):
        return after(before, *given, **named)
    return call
"""


@dataclass(frozen=True)
class Repair:
    """`change` makes the repaired text of a file, that of `module` or else the entry's own; `brings` are classes that
    show once this one is mended."""

    change: Callable[[str], str]
    module: str = ""
    brings: frozenset[str] = frozenset()


def swap(old: str, new: str, *, times: int = 1, module: str = "", brings: Iterable[str] = ()) -> Repair:
    """One text for another that stands in the file exactly `times` times."""

    def change(source: str) -> str:
        assert source.count(old) == times, f"{old!r} is there {source.count(old)} times"
        return source.replace(old, new)

    return Repair(change, module, frozenset(brings))


def wrap(name: str, function: Callable[..., Any], *, module: str = "") -> Repair:
    """`function` around what `name` stands for in the file: it takes that first, then the arguments."""
    bound = f"{name} = _around({name}, {function.__name__})"
    return Repair(lambda source: f"{source}\n\n{inspect.getsource(function)}\n{_AROUND}\n{bound}\n", module)


def repairs() -> dict[tuple[str, str], Repair]:
    """Every repair by (slug of the grader, class of defect)."""
    modules = (importlib.import_module(f"{__name__}.{info.name}") for info in pkgutil.iter_modules(__path__))
    return {
        (module.__name__.rpartition(".")[2].replace("_", "-"), defect): repair
        for module in modules
        for defect, repair in module.REPAIRS.items()
    }


def repaired(subject: GraderSubject, repair: Repair, folder: Path) -> GraderSubject:
    """The grader with the repair in it: `folder` gets the changed file and links to those around it."""
    fetched = subject.paths[0]
    entry = repair.module in ("", subject.module_name)
    original = subject.module_file if entry else fetched.joinpath(*repair.module.split(".")).with_suffix(".py")
    here, copy = fetched, folder
    for part in original.relative_to(fetched).parts:
        if here != fetched:
            copy.mkdir()
            for sibling in here.iterdir():
                if sibling.name != part:
                    (copy / sibling.name).symlink_to(sibling)
        here, copy = here / part, copy / part
    copy.write_text(repair.change(original.read_text("utf-8")), "utf-8")
    return replace(subject, module_file=copy if entry else subject.module_file, paths=(folder, *subject.paths))
