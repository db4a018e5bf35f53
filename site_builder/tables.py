"""Row-level tables for pages, read without loading a Parquet library into the build.

The first build that shows a table asks a process of its own to turn it, and the others still missing, into JSON
under the build's cache, each under its file digest; later builds read that.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lens.errors import StoreError
from lens.reading import Columns

if TYPE_CHECKING:
    from measure.store import Store


class Tables:
    """`tables(id, name)` -> columns."""

    def __init__(self, store: Store, cache: Path) -> None:
        self.store = store
        self.cache = cache

    def __call__(self, id_: str, name: str) -> Columns:
        return msgspec.json.decode(self.file(id_, name, "json").read_bytes(), type=Columns)

    def file(self, id_: str, name: str, ending: str) -> Path:
        """The table as a file of the cache: "json" (columns) or "csv" (rows)."""
        path = self.cache / f"{self.store.line(id_).tables[name]}.{ending}"
        if not path.exists():
            self._convert()
        if not path.exists():
            raise StoreError(f"the table {name} of {id_} could not be read", remedy="lens evidence verify")
        return path

    def _convert(self) -> None:
        self.cache.mkdir(parents=True, exist_ok=True)
        wanted = {
            digest: str(self.store.table_path(line.id, name))
            for line in self.store.manifest()
            for name, digest in line.tables.items()
            if not (self.cache / f"{digest}.csv").exists()
        }
        done = subprocess.run(
            [sys.executable, "-m", "site_builder.tables_process", str(self.cache)],
            input=msgspec.json.encode(wanted),
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise StoreError(f"tables could not be read: {done.stderr.decode(errors='replace').strip()[-300:]}")
