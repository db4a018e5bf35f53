"""Formats that trainers write, one file each under `lens/runs/adapters/`, found there and listed nowhere else.

A format's module has `ADAPTER = Adapter(...)`. `recognise` looks at names and first lines only and says how it knows;
`read` streams what the files hold into a `Writer`. What the format can't carry is told with `Writer.lacks`, with the
option of that trainer that would have written it.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from lens.errors import UsageError

if TYPE_CHECKING:
    from lens.runs.writer import Writer

Tested = Literal["real run", "writer code", "documentation"]


@dataclass(frozen=True)
class Source:
    """What a person named: a folder or a file, with the trainer's configuration and the mapping, where given."""

    path: Path
    config: Path | None = None
    map: Path | None = None
    part: str = ""  # which of several runs in the same files

    def files(self, pattern: str) -> list[Path]:
        """Files under the path that match, sorted by name with numbers as numbers; the path itself where it is one."""
        if self.path.is_file():
            return [self.path] if self.path.match(pattern) else []
        return sorted((one for one in self.path.glob(pattern) if one.is_file()), key=natural)


def natural(path: Path) -> list[tuple[int, int, str]]:
    """Sort key with numbers as numbers.

    >>> sorted([Path("s10.jsonl"), Path("s9.jsonl")], key=natural)[0].name
    's9.jsonl'
    """
    import re

    return [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.split(r"(\d+)", str(path)) if part]


@dataclass(frozen=True)
class Adapter:
    """`version` is raised by hand when what it reads from the same files could change. `tested` says on what its
    reader was tested: files of a real run, files that the trainer's own writer code made, or documentation alone."""

    name: str
    title: str
    layout: str  # where its files lie, for lists: `completions/completions_*.parquet`
    versions: str  # of the trainer: "TRL 1.16"
    tested: Tested
    version: int
    recognise: Callable[[Source], str]  # "" or the words of how it knows
    files: Callable[[Source], list[Path]]  # all that `read` opens: their digests are the run's
    read: Callable[[Source, Writer], None]
    order: int = 50  # among formats that recognise one folder, the lowest is taken
    named: bool = False  # what its files are called says a step, a task or a series: names are part of the fingerprint
    parts: bool = False  # its files may hold several runs, told apart by `Source.part`
    in_place: bool = False  # it is a flat record already


@cache
def adapters() -> dict[str, Adapter]:
    """Every format by name, in the order they are tried."""
    package = importlib.import_module("lens.runs.adapters")
    found = [
        importlib.import_module(f"{package.__name__}.{one.name}") for one in pkgutil.iter_modules(package.__path__)
    ]
    known: list[Adapter] = [module.ADAPTER for module in found if hasattr(module, "ADAPTER")]
    return {one.name: one for one in sorted(known, key=lambda one: (one.order, one.name))}


def detect(source: Source) -> tuple[Adapter, str]:
    """The format of what lies at the path, and how it was known.

    Raises UsageError for a path that isn't there and for a layout that no format recognises.
    """
    if not source.path.exists():
        raise UsageError(f"no run at {source.path}", remedy="give the folder that the trainer writes to")
    for adapter in adapters().values():
        if how := adapter.recognise(source):
            return adapter, how
    raise UsageError(
        f"{source.path} looks like no format known here: {', '.join(one.layout for one in adapters().values())}",
        remedy="lens measure run PATH --map FILE, which names its columns; lens measure run --help shows one",
    )
