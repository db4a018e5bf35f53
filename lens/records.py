"""Rows of a file: JSONL, JSON, CSV or Parquet, gzipped or not."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError


def records(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(line or row number from 1, record) of every row of a file. Raises UsageError naming the line that's off."""
    kind = _kind(path)
    if kind == "parquet":
        yield from _parquet(path)
        return
    text = _text(path)
    if kind == "csv":
        yield from ((at, dict(row)) for at, row in enumerate(csv.DictReader(io.StringIO(text)), start=2))
    elif kind == "json":
        yield from _json(path, text)
    else:
        yield from _lines(path, text)


def _kind(path: Path) -> str:
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() != ".gz"]
    known = {".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "json", ".csv": "csv", ".parquet": "parquet"}
    if not suffixes or suffixes[-1] not in known:
        raise UsageError(
            f"{path.name}: can't tell what kind of file this is",
            remedy="use .jsonl, .json, .csv or .parquet, with .gz behind it where it is gzipped",
        )
    return known[suffixes[-1]]


def _text(path: Path) -> str:
    try:
        data = gzip.decompress(path.read_bytes()) if path.suffix.lower() == ".gz" else path.read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UsageError(f"{path.name}, line {line}: not UTF-8 text", remedy="save the file as UTF-8") from None
    except (OSError, EOFError) as error:
        raise UsageError(f"{path.name} can't be read: {error}", remedy="check the file and that it is whole") from None


def _lines(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            raise UsageError(
                f"{path.name}, line {number}: not JSON ({error.msg}, column {error.colno})",
                remedy="write one JSON object a line",
            ) from None
        yield number, _object(path, number, record)


def _json(path: Path, text: str) -> Iterator[tuple[int, dict[str, Any]]]:
    try:
        whole = json.loads(text) if text.strip() else []
    except json.JSONDecodeError as error:
        raise UsageError(
            f"{path.name}, line {error.lineno}: not JSON ({error.msg})", remedy="write one list of objects"
        ) from None
    if isinstance(whole, dict):
        whole = next((value for value in whole.values() if isinstance(value, list)), [whole])
    yield from ((number, _object(path, number, record)) for number, record in enumerate(whole, start=1))


def _object(path: Path, number: int, record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        raise UsageError(
            f"{path.name}, row {number}: a {type(record).__name__}, not an object",
            remedy="write rows as objects with named fields",
        )
    return record


def _parquet(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    import pyarrow.parquet as parquet

    try:
        table = parquet.read_table(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path.name} is no whole Parquet file: {error}", remedy="write the file again") from None
    yield from enumerate(table.to_pylist(), start=1)
