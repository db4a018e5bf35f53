"""DuckDB as every reading of a run uses it: one thread, so that sums repeat, and bounded memory that spills to disk."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

MEMORY = "192MB"


_IDLE: dict[int, list[duckdb.DuckDBPyConnection]] = {}  # by process, since a fork can't use what it was born with


@contextmanager
def connect() -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory that nobody else uses meanwhile, empty; its views and temporary tables are gone afterwards.

    Databases are kept for the next caller: opening one costs as much as reading a hundred thousand rollouts.
    """
    idle = _IDLE.setdefault(os.getpid(), [])
    database = idle.pop() if idle else _opened()
    try:
        with database.cursor() as connection:
            yield connection
    finally:
        for (view,) in database.execute("SELECT view_name FROM duckdb_views() WHERE NOT internal").fetchall():
            database.execute(f'DROP VIEW "{view}"')
        idle.append(database)


def _opened() -> duckdb.DuckDBPyConnection:
    import duckdb

    spill = tempfile.mkdtemp(prefix="lens-runs-")
    database = duckdb.connect(":memory:")
    database.execute(f"SET threads=1; SET memory_limit='{MEMORY}'; SET temp_directory='{spill}'")
    database.execute("SET preserve_insertion_order=true; SET enable_progress_bar=false")
    database.execute("SET enable_external_file_cache=false")
    atexit.register(_close, database, spill)
    return database


def _close(database: duckdb.DuckDBPyConnection, spill: str) -> None:
    database.close()
    shutil.rmtree(spill, ignore_errors=True)
