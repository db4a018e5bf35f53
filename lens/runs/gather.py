"""Rows that a format's reader made, typed by the record's columns and handed to the writer some thousands at a time.

A row is a mapping with the record's names (`step`, `group`, `score.NAME`, `prompt_text`, ...). A name that a row lacks
is absent there, None is a null: the record keeps the two apart.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.columns import type_of
from lens.runs.formats.files import number
from lens.runs.keys import key
from lens.runs.writer import TEXTS, Writer

BATCH = 4096  # rollouts
CHARACTERS = 16 << 20  # of text held before a batch is handed on
DECIMALS = (3, 6)  # fewer could be whole numbers, more are the writer's own floats
ENOUGH = 20  # values that are not whole tell a writer that rounds


class Gather:
    """Takes rows file by file. `unit` is half the last decimal that every advantage so far is written to, 0 where the
    writer doesn't round, as `Settings.rounded` has it."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self._decimals = self._fractions = 0

    def rows(self, path: Path, rows: Iterable[tuple[int, Mapping[str, Any]]]) -> int:
        """Write one file's rows, `(line, row)`; how many there were.

        Raises UsageError naming file, line and column for a value of another type, and for a row without its step or
        group.
        """
        lines: list[int] = []
        held: list[dict[str, Any]] = []
        count = text = 0
        for line, row in rows:
            held.append({name: typed(name, value, path, line) for name, value in row.items()})
            for name in ("step", "group"):
                if held[-1].get(name) is None:
                    raise UsageError(
                        f"{path}:{line}: nothing says which {name} this rollout belongs to",
                        remedy="name the column that does with --map",
                    )
            lines.append(line)
            count += 1
            text += sum(len(held[-1].get(name) or "") for name in TEXTS)
            if len(held) >= BATCH or text >= CHARACTERS:
                self._write(path, lines, held)
                lines, held, text = [], [], 0
        self._write(path, lines, held)
        return count

    @property
    def unit(self) -> float:
        low, high = DECIMALS
        fits = self._fractions >= ENOUGH and low <= self._decimals <= high
        return float(f"5e-{self._decimals + 1}") if fits else 0.0

    def _write(self, path: Path, lines: list[int], held: list[dict[str, Any]]) -> None:
        if not held:
            return
        names = list(dict.fromkeys(name for row in held for name in row))
        absent = {name: sum(name not in row for row in held) for name in names}
        columns = {name: [row.get(name) for row in held] for name in names}
        self.writer.rollouts(path, columns, lines=lines, absent=absent)
        if self._decimals <= DECIMALS[1]:
            self._measure(columns.get("advantage", []))

    def _measure(self, advantages: Iterable[float | None]) -> None:
        written = [repr(value) for value in advantages if value is not None and value % 1]
        places = [len(text.partition(".")[2]) if "e" not in text else 99 for text in written]
        self._decimals = max([self._decimals, *places])
        self._fractions += len(written)


def typed(name: str, value: Any, path: Path, line: int) -> Any:
    """A value as its column holds it. Raises UsageError naming file, line and column."""
    if value is None:
        return None
    if name in TEXTS:
        return text(value)
    if name == "group":
        return _name(value, path, line)
    if name == "prompt" and isinstance(value, str):
        return key(value)
    try:
        kind = type_of(name)
    except KeyError:
        raise UsageError(f"{path}:{line}: a rollout has no place for {name}") from None
    if kind == "double":
        return number(value, path, line, name)
    if kind == "int64":
        return whole(value, path, line, name)
    return flag(value, path, line, name) if kind == "bool" else text(value).encode("utf-8", "replace").decode()


def whole(value: Any, path: Path, line: int, name: str) -> int:
    """A whole number of 64 bits, also where it was written as 3.0. Raises UsageError naming file, line and column."""
    if isinstance(value, (int, float)) and value == value // 1 and -(2**63) <= value < 2**63:
        return int(value)
    raise UsageError(f"{path}:{line}: {name} is {str(value)[:40]!r}, not a whole number")


def flag(value: Any, path: Path, line: int, name: str) -> bool:
    """True or false, also as 1 or 0. Raises UsageError naming file, line and column."""
    if isinstance(value, (int, float)) and value in (0, 1):
        return bool(value)
    raise UsageError(f"{path}:{line}: {name} is {str(value)[:40]!r}, not true or false")


def text(value: Any) -> str:
    """Text as it was given: messages a role and its words each, anything else that isn't text as JSON.

    >>> text([{"role": "user", "content": "2 + 2"}])
    'user: 2 + 2'
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value and all(isinstance(one, dict) and "role" in one for one in value):
        return "\n".join(f"{one['role']}: {text(one.get('content') or '')}" for one in value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _name(value: Any, path: Path, line: int) -> str:
    if isinstance(value, (str, int, float)):
        return str(value)
    raise UsageError(f"{path}:{line}: a group's name is text or a number, this is {type(value).__name__}")
