"""Row-level tables as Parquet: equal rows give equal bytes, and a digest over content outlives the format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lens.canonical import digest
from lens.errors import StoreError, UsageError
from lens.reading import Columns

if TYPE_CHECKING:
    import pyarrow as pa


def to_arrow(columns: Columns, where: str) -> pa.Table:
    """Columns of equal length as a table, a type a column. Raises UsageError naming `where` and the column."""
    import pyarrow as pa

    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise UsageError(f"{where}: columns differ in length: {lengths}")
    arrays = {}
    for name, values in columns.items():
        try:
            arrays[name] = pa.array(values)
        except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError) as error:
            raise UsageError(f"{where}, column {name!r}: {error}", remedy="give a column values of one type") from error
    return pa.table(arrays)


def content(table: pa.Table, where: str) -> str:
    """SHA-256 over the canonical JSON of the columns: the same for any Parquet writer and any column order."""
    try:
        return digest(table.to_pydict())
    except (ValueError, TypeError) as error:
        raise UsageError(
            f"{where}: {error}", remedy="use None for a missing number, text for whole numbers beyond 2**53"
        ) from error


def encode(table: pa.Table) -> bytes:
    """Parquet bytes, with nothing in them that depends on when or by whom they are written."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    sink = pa.BufferOutputStream()
    pq.write_table(
        table.replace_schema_metadata(None), sink, compression="zstd", row_group_size=65_536, store_schema=False
    )
    return bytes(sink.getvalue())


def decode(data: bytes, path: str) -> pa.Table:
    """Read Parquet bytes. Raises StoreError naming `path` where they are not."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_table(pa.BufferReader(data), use_threads=False)
    except (pa.ArrowException, OSError) as error:
        raise StoreError(f"{path} is not a whole table: {error}", remedy=f"git checkout -- {path}") from error
