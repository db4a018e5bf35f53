"""Any layout, by a mapping file that names its columns: see `lens.runs.formats.mapping`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.columns import EXTRA, LEAF, type_of
from lens.runs.formats import files as reading
from lens.runs.formats.mapping import MISSING, Mapping, exploded, names_in, reach, read_mapping, unknown_column
from lens.runs.formats.rows import KINDS, kind_of, rows
from lens.runs.formats.trl import given
from lens.runs.gather import Gather, whole
from lens.runs.writer import TEXTS, Writer

LOOKED_AT = 200  # rows of a file whose columns an error may suggest


def recognise(_source: Source) -> str:
    """Only by being asked for: nothing is guessed."""
    return ""


def files(source: Source) -> list[Path]:
    """Those the mapping names. Raises UsageError where there are none."""
    mapping = read_mapping(_map(source))
    if source.path.is_file():
        return [source.path]
    found = source.files(mapping.files or "**/*")
    if not mapping.files:
        found = [one for one in found if kind_of(one) and (not mapping.format or kind_of(one) == mapping.format)]
    found = [one for one in found if one not in (source.map, source.config)]
    if not found:
        raise UsageError(
            f"{source.path} has no file {mapping.files or 'of a kind that can be read'}",
            remedy=f'files = "GLOB" in {_map(source)}; kinds are {", ".join(KINDS)}',
        )
    return found


def read(source: Source, writer: Writer) -> None:
    """Rollouts and series of every file; a column that some files lack is absent there, one that all lack an error."""
    mapping = read_mapping(_map(source))
    reader = _Reader(mapping, writer)
    gather = Gather(writer)
    for at, path in enumerate(files(source)):
        if "group" in mapping.columns:
            gather.rows(path, reader.rollouts(path, at))
        else:
            for _ in reader.steps(path, at):
                pass
    reader.check(source.path)
    writer.trainer = mapping.trainer or "a mapping"
    writer.config, known = given(source.config, mapping.leaves)
    asked = {name: value for name, value in msgspec.structs.asdict(mapping.settings).items() if value is not None}
    writer.settings = msgspec.structs.replace(known, **{**asked, "rounded": mapping.settings.rounded or gather.unit})
    for name in ("advantage", "reward"):
        if name not in mapping.columns:
            writer.lacks(name, f"the mapping names no {name}", f'{name} = "COLUMN" under [columns] of the mapping')


class _Reader:
    """Rows of the mapped files in the record's names, and what was seen of their columns."""

    def __init__(self, mapping: Mapping, writer: Writer) -> None:
        self.mapping, self.writer = mapping, writer
        self.found: set[str] = set()
        self.seen: dict[str, None] = {}
        self.logged: dict[tuple[int, str], float] = {}
        self.repeated: dict[str, tuple[Path, int, int]] = {}  # by series: the first place, and how many

    def rollouts(self, path: Path, place: int) -> Iterator[tuple[int, dict[str, Any]]]:
        empty = 0
        for line, row, text in self._rows(path):
            parts = exploded(row, self.mapping.each, path, line) if self.mapping.each else [row]
            empty += not parts
            for at, part in enumerate(parts, 1):
                made = self._made(path, part, {"@line": line, "@place": at, "@file": place}, text)
                self._series(path, line, part, made.get("step"), text)
                yield line, made
        if empty:
            self.writer.found("no-rollouts", f"rows whose lists are empty: {empty}", path)

    def steps(self, path: Path, place: int) -> Iterator[None]:
        for line, row, text in self._rows(path):
            made = self._made(path, row, {"@line": line, "@place": 1, "@file": place}, text)
            self._series(path, line, row, whole(made.get("step"), path, line, "step"), text)
            yield

    def check(self, path: Path) -> None:
        """Tell what was odd. Raises UsageError for a column that no row of any file had."""
        for name in self.mapping.sources:
            if self.seen and name not in self.found:
                raise unknown_column(path, name, self.seen)
        for name, (where, line, times) in self.repeated.items():
            told = f"{name} is written again with another value {times} times, first here; the last counts"
            self.writer.found("repeated-step", told, where, line)

    def _rows(self, path: Path) -> Iterator[tuple[int, dict[str, Any], Callable[[str, Any], Any]]]:
        kind = self.mapping.kind(path)
        columns = None if kind != "parquet" else [one for name in self.mapping.sources for one in _heads(name)]
        plain = _from_text if kind == "csv" else _as_is
        if kind == "parquet":
            self.seen |= dict.fromkeys(_schema(path))
        for at, (line, row) in enumerate(rows(path, kind, self.writer.torn, columns)):
            if at < LOOKED_AT:
                self.seen |= dict.fromkeys(names_in(row))
            if at == 0 and kind in ("csv", "parquet"):
                self._header(path)
            yield line, row, plain

    def _header(self, path: Path) -> None:
        for name in self.mapping.sources:
            if not any(head in self.seen for head in _heads(name)):
                raise unknown_column(path, name, self.seen)

    def _made(
        self, path: Path, row: dict[str, Any], special: dict[str, int], text: Callable[[str, Any], Any]
    ) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for name, source in self.mapping.columns.items():
            if not isinstance(source, str):
                made[name] = source
            elif source == "@number":
                made[name] = _number_of(path)
            elif source in special:
                made[name] = special[source]
            elif (value := reach(row, source)) is not MISSING:
                self.found.add(source)
                made[name] = text(name, value)
            elif name in ("step", "group"):
                raise unknown_column(f"{path}:{special['@line']}", source, names_in(row))
        self.found.update(name for name in self.mapping.each if name in row)
        return made

    def _series(self, path: Path, line: int, row: dict[str, Any], step: Any, text: Callable[[str, Any], Any]) -> None:
        for name in self.mapping.series:
            if (value := reach(row, name)) is MISSING:
                continue
            self.found.add(name)
            number = reading.number(text(EXTRA + name, value), path, line, name)
            at = (whole(step, path, line, "step"), name)
            if number is None or self.logged.get(at) == number:
                continue
            if at in self.logged:
                self.writer.found(
                    "repeated-step", f"{name} of step {at[0]} is written twice; the last counts", path, line
                )
            self.logged[at] = number
            self.writer.series(at[0], {name: number})


def _map(source: Source) -> Path:
    if source.map is None:
        raise UsageError("no mapping was given", remedy="lens measure run PATH --map FILE")
    return source.map


def _heads(name: str) -> list[str]:
    """Top-level columns that a dotted name may lie in.

    >>> _heads("a.b.c")
    ['a', 'a.b', 'a.b.c']
    """
    parts = name.split(".")
    return [".".join(parts[: at + 1]) for at in range(len(parts))]


def _schema(path: Path) -> list[str]:
    import pyarrow.parquet as pq

    try:
        names: list[str] = pq.read_schema(path).names
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: not a whole Parquet file: {error}", remedy="copy it again") from None
    return names


def _number_of(path: Path) -> int:
    found = re.findall(r"\d+", path.name)
    if not found:
        raise UsageError(f"{path}: no number in its name", remedy="@number reads one; name a column instead")
    return int(found[-1])


def _as_is(_name: str, value: Any) -> Any:
    return value


def _from_text(name: str, value: str | None) -> Any:
    """A cell of a CSV, which is text whatever it means; what isn't of the column's type stays text, for the error."""
    if value is None or name in TEXTS or name == "group":
        return value
    kind = "double" if name.startswith((LEAF, EXTRA)) else type_of(name)
    if kind == "bool":
        return {"true": True, "1": True, "false": False, "0": False}.get(value.lower(), value)
    if kind == "string" or "_" in value:
        return value
    try:
        return int(value) if kind == "int64" else float(value)
    except ValueError:
        try:
            return float(value)
        except ValueError:
            return value


ADAPTER = Adapter(
    name="mapped",
    title="Mapped columns",
    layout="any files, with --map FILE",
    versions="of any trainer",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=99,
    named=True,
)
