"""Reading other people's files a piece at a time. Every error names file and line; nothing is guessed.

A last line that was cut ends the record before it and is told as a finding: a run still being written looks like that.
A cut or broken line anywhere else is an error.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import msgspec

from lens.errors import UsageError

if TYPE_CHECKING:
    import pyarrow as pa

Shape = TypeVar("Shape", bound=msgspec.Struct)

ROWS = 65_536  # of a Parquet file at a time
LONGEST = 64 << 20  # bytes of one JSON line
WHOLE = 512 << 20  # bytes of a document that can only be read at once


class Line(NamedTuple):
    number: int  # from 1
    value: dict[str, Any]


def json_lines(path: Path, torn: Callable[[Path, int], None]) -> Iterator[Line]:
    """The objects of a JSON Lines file (also gzipped); `torn` is told of a last line that was cut.

    Numbers beyond JSON (NaN, Infinity, as Python writes them) are kept. Bytes that are no UTF-8 are kept as
    surrogates. Raises UsageError naming file and line for a line that is no JSON object, or longer than 64 MiB.
    """
    if not path.is_file():
        raise UsageError(f"no file at {path}", remedy="is the run copied whole?")
    opened = gzip.open if path.suffix == ".gz" else open
    with opened(path, "rb") as stream:
        number = 0
        while line := _line(stream, path, number + 1):
            number += 1
            if not line.strip():
                continue
            try:
                value = _decoded(line)
            except ValueError as error:
                if not line.endswith(b"\n"):
                    torn(path, number)
                    return
                raise UsageError(
                    f"{path}:{number}: not JSON: {error}",
                    remedy="mend or drop that line in a copy of the file; nothing after it was read",
                ) from None
            if not isinstance(value, dict):
                raise UsageError(f"{path}:{number}: a row is a JSON object, this is {type(value).__name__}")
            yield Line(number, value)


def _line(stream: Any, path: Path, number: int) -> bytes:
    try:
        line: bytes = stream.readline(LONGEST + 1)
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UsageError(
            f"{path}:{number}: the compressed file is cut or damaged: {error}", remedy="copy it again"
        ) from None
    if len(line) > LONGEST:
        raise UsageError(f"{path}:{number}: a line of more than {LONGEST >> 20} MiB", remedy="is it JSON Lines at all?")
    return line


def _decoded(line: bytes) -> Any:
    """msgspec's JSON is strict and fast; Python's own reads NaN, Infinity, and text with broken UTF-8."""
    try:
        return msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        import json

        return json.loads(line.decode("utf-8", "surrogateescape"))
    except RecursionError:
        raise ValueError("nested too deeply") from None


def json_bytes(data: bytes, where: Path | str) -> Any:
    """One JSON document that lies at `where`. Raises UsageError naming it."""
    try:
        return _decoded(data)
    except ValueError as error:
        raise UsageError(f"{where}: not JSON: {error}", remedy="is it whole? copy it again") from None


def json_file(path: Path) -> Any:
    """One JSON document (also gzipped). Raises UsageError naming the file, also for one of more than 512 MiB."""
    try:
        if path.stat().st_size > WHOLE:
            raise UsageError(f"{path}: a JSON document of more than {WHOLE >> 20} MiB", remedy="write JSON Lines")
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
    except FileNotFoundError:
        raise UsageError(f"no file at {path}") from None
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UsageError(f"{path}: the compressed file is cut or damaged: {error}", remedy="copy it again") from None
    return json_bytes(data, path)


def parquet(path: Path, columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
    """The rows of a Parquet file, some at a time. Raises UsageError naming a file that is cut or not Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = [name for name in columns or file.schema_arrow.names if name in file.schema_arrow.names]
            yield from file.iter_batches(ROWS, columns=names)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise UsageError(
            f"{path}: not a whole Parquet file: {str(error).splitlines()[0]}",
            remedy="a run that is still being written? try again when the step is done, or copy the file again",
        ) from None


def need(row: dict[str, Any], name: str, path: Path, line: int) -> Any:
    """A field that every row of a format has. Raises UsageError naming file, line and field where one lacks it."""
    if name not in row:
        raise UsageError(f"{path}:{line}: no {name}", remedy="is it of another writer? name its columns with --map")
    return row[name]


def inner(row: dict[str, Any], name: str, path: Path, line: int) -> dict[str, Any]:
    """An object in a row; an empty one where it is null or missing. Raises UsageError for anything else."""
    value = row.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise UsageError(f"{path}:{line}: {name} is {type(value).__name__}, not an object")
    return value


def shaped(row: dict[str, Any], kind: type[Shape], path: Path, line: int, what: str) -> Shape:
    """A row as a struct. Raises UsageError naming file, line and the field that isn't of its type."""
    try:
        return msgspec.convert(row, kind)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise UsageError(f"{path}:{line}: no {what}: {error}", remedy="name its columns with --map") from None


def number(value: Any, path: Path, line: int, name: str) -> float | None:
    """A number as written: null stays null, true and false are 1 and 0, NaN and infinities stay.

    Raises UsageError naming file, line and field for text, even text that looks like a number: what `"0.5"` was meant
    as is the writer's to say.
    """
    if value is None or isinstance(value, (int, float)):
        try:
            return None if value is None else float(value)
        except OverflowError:
            raise UsageError(f"{path}:{line}: {name} is a whole number of {len(str(value))} digits") from None
    raise UsageError(
        f"{path}:{line}: {name} is {type(value).__name__} {str(value)[:40]!r}, not a number",
        remedy="name another column with --map, or write numbers as numbers",
    )
