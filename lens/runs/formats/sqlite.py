"""SQLite databases of other programs, read-only. Every error names the file."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from lens.errors import UsageError

MAGIC = b"SQLite format 3\0"


def log_of(path: Path) -> Path:
    """Where a writer keeps what it has not folded into the database yet."""
    return path.with_name(f"{path.name}-wal")


def tables(path: Path) -> dict[str, tuple[str, ...]]:
    """Columns by table; none where the file is no SQLite database, or one that can't be read."""
    try:
        with path.open("rb") as stream:
            if stream.read(len(MAGIC)) != MAGIC:
                return {}
        with opened(path) as database:
            names = [name for (name,) in rows(database, path, "SELECT name FROM sqlite_master WHERE type = 'table'")]
            return {
                name: tuple(rows(database, path, f'SELECT * FROM "{name}" LIMIT 0', columns=True)) for name in names
            }
    except (UsageError, OSError):
        return {}


@contextmanager
def opened(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection; what a writer has not folded in yet is read too. Raises UsageError naming the file."""
    still = "" if log_of(path).is_file() else "&immutable=1"
    try:
        connection = sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{still}", uri=True)
    except sqlite3.Error as error:
        raise _damaged(path, error) from None
    with closing(connection):
        yield connection


def rows(
    database: sqlite3.Connection, path: Path, statement: str, parameters: tuple[Any, ...] = (), *, columns: bool = False
) -> Iterator[Any]:
    """The rows of a statement one by one, or the names of its columns. Raises UsageError naming the file."""
    try:
        found = database.execute(statement, parameters)
        yield from (name for name, *_ in found.description) if columns else found
    except (sqlite3.Error, ValueError) as error:  # names that are no UTF-8, too
        raise _damaged(path, error) from None


def _damaged(path: Path, error: Exception) -> UsageError:
    return UsageError(f"{path}: {error}", remedy="copy the database again, with nothing writing to it")
