"""DuckDB as every reading of a run uses it: one thread, so that sums repeat, and bounded memory that spills to disk."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import duckdb

MEMORY = "192MB"


@contextmanager
def connect(memory: str = MEMORY) -> Iterator[duckdb.DuckDBPyConnection]:
    """A database in memory, gone afterwards with whatever it spilled."""
    import duckdb

    with tempfile.TemporaryDirectory(prefix="lens-runs-") as spill, duckdb.connect(":memory:") as database:
        database.execute(f"SET threads=1; SET memory_limit='{memory}'; SET temp_directory='{spill}'")
        database.execute("SET preserve_insertion_order=true; SET enable_progress_bar=false")
        yield database
