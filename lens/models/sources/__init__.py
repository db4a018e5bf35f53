"""Published preference sets and recorded scores by name, one family a file: each has `PAIRS`, and `SCORES` where
somebody published what reward models said of them. The registry finds them there.

Their rows stay where they are: evidence records name, digest and locator (`shared:...`) alone.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from lens.canonical import digest, file_digest
from lens.errors import UsageError
from lens.models.layouts import of_rows
from lens.models.pairs import Pairs


@dataclass(frozen=True)
class Published:
    """One published set: a file, or a folder of files, under `data/` of the shared folder, and how it is read.

    `files` names those read of a folder (all of it is in the digest). `rows` turns (file name, content) into rows of
    one of the layouts; a row's number is its place, from 1.
    """

    name: str
    title: str
    path: str
    licence: str
    rows: Callable[[Iterator[tuple[str, str]]], Iterator[dict[str, Any]]]
    files: tuple[str, ...] = ()

    def read(self, shared: Path) -> Pairs:
        """The set, from the shared folder. Raises UsageError where it isn't there."""
        path = find(self.name, self.path, shared)
        files = [path / name for name in self.files] if self.files else [path]
        content = ((file.name, file.read_text("utf-8")) for file in files)
        rows = enumerate(self.rows(content), start=1)
        return of_rows(self.name, rows, self.name, _digest(path), f"shared:{self.path}", self.licence)


@dataclass(frozen=True)
class Scored:
    """One reward model's published scores: a file under `data/` of the shared folder.

    `name` is what stands after `scores:` in a spec, `slug` the model's place in ids, `pairs` the published set scored.
    """

    name: str
    slug: str
    title: str
    path: str
    licence: str
    pairs: str

    def find(self, shared: Path) -> Path:
        """Where the file lies. Raises UsageError where it doesn't."""
        return find(self.name, self.path, shared)


@dataclass(frozen=True)
class Together:
    """Published records that are read side by side: those whose name begins with `name/`."""

    name: str
    slug: str
    title: str


@cache
def sources() -> dict[str, Published]:
    """Every published preference set by name."""
    return {one.name: one for one in sorted(_all("PAIRS"), key=lambda one: one.name)}


@cache
def recorded() -> dict[str, Scored]:
    """Every published record of scores by name."""
    return {one.name: one for one in _all("SCORES")}


@cache
def panels() -> dict[str, Together]:
    """Every panel of published records by name."""
    return {one.name: one for one in _all("PANELS")}


def find(name: str, path: str, shared: Path) -> Path:
    """A path under `data/` of the shared folder. Raises UsageError, naming it, where it isn't there."""
    found = shared / "data" / path
    if not found.exists():
        raise UsageError(
            f"{name} is read from {found}, which isn't there",
            remedy="set EVIDENCE_LENS_SHARED to the folder that holds data/, or give a file of yours",
        )
    return found


def _digest(path: Path) -> str:
    """Of a file's bytes, or of the names and digests of a folder's files."""
    if path.is_file():
        return file_digest(path)
    return digest(
        {one.relative_to(path).as_posix(): file_digest(one) for one in sorted(path.rglob("*")) if one.is_file()}
    )


def _all(kind: str) -> list[Any]:
    return [one for module in _modules() for one in getattr(module, kind, ())]


def _modules() -> list[ModuleType]:
    package = importlib.import_module("lens.models.sources")
    return [
        importlib.import_module(f"{package.__name__}.{info.name}") for info in pkgutil.iter_modules(package.__path__)
    ]
