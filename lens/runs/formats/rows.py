"""Rows of a file of any common kind, a piece at a time: JSON Lines, JSON, CSV (each also gzipped) and Parquet."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.formats import files
from lens.runs.formats.files import Line

KINDS = {
    "jsonl": (".jsonl", ".jsonl.gz", ".ndjson"),
    "json": (".json", ".json.gz"),
    "csv": (".csv", ".csv.gz"),
    "parquet": (".parquet",),
}


def kind_of(path: Path) -> str:
    """`jsonl`, `json`, `csv` or `parquet`, by the file's name; empty for anything else."""
    return next((kind for kind, ends in KINDS.items() if path.name.lower().endswith(ends)), "")


def rows(path: Path, kind: str, torn: Callable[[Path, int], None], columns: list[str] | None = None) -> Iterator[Line]:
    """The rows of a file, numbered as its lines are (as its rows, where it has none).

    `torn` is told of a last line that was cut. Cells of a CSV are text, an empty one None. `columns` limits what is
    read of a Parquet file. Raises UsageError naming file and line.
    """
    if kind == "jsonl":
        return files.json_lines(path, torn)
    if kind == "csv":
        return _csv(path, torn)
    return _json(path) if kind == "json" else _parquet(path, columns)


def first_row(path: Path) -> dict[str, Any]:
    """The first row of a file, for telling formats apart; empty where it has none that reads: what is wrong with a file
    is for the reader of its format to say."""
    try:
        found = next(rows(path, kind_of(path), lambda *_: None), None)
    except (UsageError, OSError):
        return {}
    return found.value if found else {}


def _json(path: Path) -> Iterator[Line]:
    """A list of objects, or an object whose values they are."""
    whole = files.json_file(path)
    listed = list(whole.values()) if isinstance(whole, dict) else whole
    if not isinstance(listed, list):
        raise UsageError(f"{path}: rows are a list of objects, this is {type(whole).__name__}")
    for at, row in enumerate(listed, 1):
        if not isinstance(row, dict):
            raise UsageError(f"{path}: row {at} is {type(row).__name__}, not an object")
        yield Line(at, row)


def _parquet(path: Path, columns: list[str] | None) -> Iterator[Line]:
    at = 0
    for batch in files.parquet(path, columns):
        try:
            listed = batch.to_pylist()
        except ValueError as error:
            raise UsageError(f"{path}: rows after {at}: {error}", remedy="write the file again") from None
        for row in listed:
            at += 1
            yield Line(at, row)


def _csv(path: Path, torn: Callable[[Path, int], None]) -> Iterator[Line]:
    opened: Any = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rb") as raw:
        stream = io.TextIOWrapper(raw, "utf-8-sig", "surrogateescape", newline="")
        reader = csv.reader(stream)
        names = _record(reader, path) or []
        if len(set(names)) < len(names):
            raise UsageError(f"{path}:1: two columns have one name: {', '.join(names)}")
        held: tuple[int, list[str]] | None = None
        while (cells := _record(reader, path)) is not None:
            if held:
                yield _cells(names, *held, path)
            held = (reader.line_num, cells) if cells else None
        if held and len(held[1]) < len(names):
            torn(path, held[0])
        elif held:
            yield _cells(names, *held, path)


def _record(reader: Any, path: Path) -> list[str] | None:
    try:
        return next(reader, None)
    except (csv.Error, EOFError, OSError, zlib.error) as error:
        raise UsageError(f"{path}:{reader.line_num + 1}: {error}", remedy="is it CSV, and whole?") from None


def _cells(names: list[str], line: int, cells: list[str], path: Path) -> Line:
    if len(cells) != len(names):
        raise UsageError(f"{path}:{line}: {len(cells)} cells under {len(names)} columns")
    return Line(line, {name: cell if cell != "" else None for name, cell in zip(names, cells, strict=True)})
