"""Parquet to JSON and CSV, in a process of its own: `{digest: path}` on standard input, a cache folder as argument."""

from __future__ import annotations

import json
import sys
from pathlib import Path


def main(cache: Path) -> None:
    """Write `<digest>.json` (columns) and `<digest>.csv` (rows) for each table; the CSV last, as the mark of both."""
    import pyarrow.csv
    import pyarrow.parquet

    for digest, path in json.load(sys.stdin).items():
        table = pyarrow.parquet.read_table(path)
        _write(cache / f"{digest}.json", json.dumps(table.to_pydict(), ensure_ascii=False, default=str).encode())
        sink = pyarrow.BufferOutputStream()
        flat = [name for name in table.column_names if not pyarrow.types.is_nested(table.schema.field(name).type)]
        pyarrow.csv.write_csv(table.select(flat), sink)
        _write(cache / f"{digest}.csv", sink.getvalue().to_pybytes())


def _write(path: Path, data: bytes) -> None:
    partial = path.with_suffix(f"{path.suffix}.part")
    partial.write_bytes(data)
    partial.replace(path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
