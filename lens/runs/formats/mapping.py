"""A mapping file: TOML that says where a run's files lie and which of their columns is what.

    format = "jsonl"                    # or json, csv, parquet; default: by the files' names
    files = "rollouts/*.jsonl"          # under PATH
    each = ["responses", "rewards"]     # columns that hold a list, one entry a rollout
    series = ["loss", "kl"]             # columns that are a number a step

    [columns]                           # the record's name = the file's
    step = "iteration"
    group = "prompt.id"                 # dots reach into objects, whole numbers into lists
    reward = "total"
    "score.correct" = "rewards.0"

    [settings]                          # what the trainer was told: see lens.runs.settings
    algorithm = "grpo"

A number stands for itself (`step = 0`); `@number` is the last number in the file's name, `@file` the file's place among
all, `@line` the line, `@place` the entry's place in `each`, from 1. Without a group rows are steps, and only series are
read.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Literal

import msgspec

from lens.errors import UsageError
from lens.runs.columns import ALWAYS, EXTRA, LEAF, ROLLOUTS
from lens.runs.formats.rows import kind_of
from lens.runs.settings import Settings
from lens.runs.writer import TEXTS

SPECIAL = ("@number", "@file", "@line", "@place")
MISSING: Any = object()
_SHOWN = "lens measure run --help shows a mapping"


class Mapping(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A mapping file as it was read; `columns` are sources by the record's names."""

    columns: dict[str, str | int | float | bool]
    files: str = ""
    format: Literal["", "jsonl", "json", "csv", "parquet"] = ""
    each: list[str] = []
    series: list[str] = []
    settings: Settings = Settings()
    trainer: str = ""

    def kind(self, path: Path) -> str:
        """Of a file. Raises UsageError where neither the mapping nor the name says it."""
        if kind := self.format or kind_of(path):
            return kind
        raise UsageError(
            f"{path}: can't tell what kind of file this is", remedy='write format = "jsonl" in the mapping'
        )

    @property
    def leaves(self) -> tuple[str, ...]:
        return tuple(name.removeprefix(LEAF) for name in self.columns if name.startswith(LEAF))

    @property
    def sources(self) -> list[str]:
        """Columns of the files that it names, each once."""
        named = [one for one in self.columns.values() if isinstance(one, str) and one not in SPECIAL]
        return list(dict.fromkeys([*named, *self.each, *self.series]))


def read_mapping(path: Path) -> Mapping:
    """The mapping in a file. Raises UsageError naming the file, for broken TOML, names that mean nothing here (with the
    nearest that does), and a record without step."""
    try:
        given = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not TOML: {error}", remedy=_SHOWN) from None
    _known(given, Mapping.__struct_fields__, path, "a mapping")
    if isinstance(given.get("settings"), dict):
        _known(given["settings"], Settings.__struct_fields__, path, "[settings]")
    try:
        mapping = msgspec.convert(given, Mapping)
    except msgspec.ValidationError as error:
        raise UsageError(f"{path}: {error}", remedy=_SHOWN) from None
    places = [name for name in ROLLOUTS if name not in ("row", "file", "line", "content")]
    for name, source in mapping.columns.items():
        if not name.startswith((LEAF, EXTRA)):
            _known([name], [*places, *TEXTS], path, "[columns]")
        if isinstance(source, str) and source.startswith("@"):
            _known([source], SPECIAL, path, f"{name} =")
    for name in ALWAYS[:1] if mapping.series else ALWAYS[:2]:
        if name not in mapping.columns:
            raise UsageError(f"{path}: [columns] names no {name}", remedy=f'{name} = "THE FILE\'S COLUMN"; {_SHOWN}')
    return mapping


def _known(names: Iterable[str], known: Iterable[str], path: Path, where: str) -> None:
    for name in names:
        if name not in (choices := list(known)):
            near = get_close_matches(name, choices, 1)
            raise UsageError(
                f"{path}: {where} has no {name!r}: {f'did you mean {near[0]!r}?' if near else ', '.join(choices)}",
                remedy="leaves of the reward are called score.NAME, other numbers extra.NAME; " + _SHOWN,
            )


def unknown_column(where: Path | str, name: str, seen: Iterable[str]) -> UsageError:
    """The error for a column that isn't there."""
    known = list(dict.fromkeys(seen))
    near = get_close_matches(name, known, 1)
    told = f"did you mean {near[0]!r}?" if near else f"there are {', '.join(known[:30]) or 'none'}"
    return UsageError(f"{where}: no column {name!r}: {told}", remedy="mend the mapping")


def reach(row: Any, name: str) -> Any:
    """The value of a column: by its whole name, else dot by dot into objects and lists; MISSING where there is none.

    >>> reach({"a.b": 1, "c": {"d": [5, 6]}}, "a.b"), reach({"c": {"d": [5, 6]}}, "c.d.-1")
    (1, 6)
    """
    if isinstance(row, list):
        head, _, rest = name.partition(".")
        if not re.fullmatch(r"-?\d{1,9}", head) or not -len(row) <= int(head) < len(row):
            return MISSING
        return reach(row[int(head)], rest) if rest else row[int(head)]
    if not isinstance(row, dict):
        return MISSING
    if name in row:
        return row[name]
    head, found = name, MISSING
    while found is MISSING and "." in head:
        head = head.rpartition(".")[0]
        if head in row:
            found = reach(row[head], name[len(head) + 1 :])
    return found


def names_in(row: dict[str, Any], prefix: str = "", depth: int = 2) -> list[str]:
    """Columns that a mapping could name in a row, nested ones with dots."""
    found: list[str] = []
    for name, value in row.items():
        found.append(prefix + name)
        if isinstance(value, dict) and depth:
            found += names_in(value, f"{prefix}{name}.", depth - 1)
    return found


def exploded(row: dict[str, Any], each: list[str], path: Path, line: int) -> list[dict[str, Any]]:
    """One row an entry of the lists that `each` names, in which those names are the entry's.

    Raises UsageError naming file, line and columns where one is no list or they differ in length.
    """
    lists = {name: reach(row, name) for name in each}
    for name, value in lists.items():
        if not isinstance(value, list):
            what = "missing" if value is MISSING else type(value).__name__
            raise UsageError(f"{path}:{line}: {name} is {what}, not a list with an entry a rollout")
    sizes = {name: len(value) for name, value in lists.items()}
    if len(set(sizes.values())) > 1:
        told = ", ".join(f"{name} {size}" for name, size in sizes.items())
        raise UsageError(f"{path}:{line}: lists of unequal length ({told}): which rollout a value is of can't be known")
    size = next(iter(sizes.values()))
    return [{**row, **{name: value[at] for name, value in lists.items()}} for at in range(size)]
