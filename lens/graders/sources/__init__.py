"""Published corpora by name, one family a file: each has `SOURCES`, and the registry finds them there.

Their rows stay where they are: evidence records name, digest and locator (`shared:...`) alone.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from lens.canonical import file_digest
from lens.errors import UsageError
from lens.graders.items import Item, Rollout, Source
from lens.records import records


@dataclass(frozen=True)
class Named:
    """One published corpus: a file under the shared folder and how its rows are read.

    `rows` turns the records of the file (number, record) into items and rollouts.
    """

    name: str
    title: str
    path: str
    licence: str
    rows: Callable[[Iterator[tuple[int, dict[str, Any]]]], Iterator[Item | Rollout]]

    def read(self, shared: Path) -> Source:
        """The corpus, from the shared folder. Raises UsageError where the file isn't there."""
        path = shared / "data" / self.path
        if not path.is_file():
            raise UsageError(
                f"{self.name} is read from {path}, which isn't there",
                remedy="set EVIDENCE_LENS_SHARED to the folder that holds data/, or give a file of yours",
            )
        made = list(self.rows(records(path)))
        return Source(
            self.name,
            self.title,
            file_digest(path),
            f"shared:{self.path}",
            self.licence,
            tuple(one for one in made if isinstance(one, Item)),
            tuple(one for one in made if isinstance(one, Rollout)),
        )


@cache
def sources() -> dict[str, Named]:
    """Every published corpus by name."""
    package = importlib.import_module("lens.graders.sources")
    modules = [
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    ]
    found = [one for module in modules for one in module.SOURCES]
    return {one.name: one for one in sorted(found, key=lambda one: one.name)}


def read(name: str, shared: Path) -> Source:
    """A published corpus by name. Raises UsageError, with the names there are, for any other."""
    if name not in sources():
        raise UsageError(
            f"no corpus is called {name!r}, and no file of that name is here",
            remedy=f"one of {', '.join(sources())}, or the path of a file",
        )
    return sources()[name].read(shared)
