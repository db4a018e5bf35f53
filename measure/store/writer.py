"""From readings to a committed batch: what changed, under which digests, superseding what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from lens.errors import UsageError
from lens.reading import Columns, Evidence
from measure.store import ids, manifest
from measure.store.manifest import Line
from measure.store.record import Made, content_digest, digest_of_bytes, encode
from measure.store.transaction import Batch

if TYPE_CHECKING:
    import pyarrow as pa

Item = tuple[Evidence, dict[str, Columns], Made]


def write(root: Path, chains: Mapping[str, Sequence[Line]], items: Iterable[Item]) -> list[str]:
    """Write what differs from the live records in `chains`; the ids written. The caller holds the exclusive lock."""
    batch: Batch | None = None
    written: dict[str, str] = {}
    try:
        for evidence, columns, made in items:
            id = ids.check_names(evidence, columns)
            evidence, tables = _with_tables(evidence, columns)
            digest = _digest(evidence)
            live = chains[id][-1] if id in chains else None
            if digest == written.get(id, live.digest if live else ""):
                continue
            if id in written:
                raise UsageError(f"two different readings of {id} in one batch", remedy="give one of them a variant")
            batch = batch or Batch(root)
            _stage(batch, evidence, digest, tables, made, live)
            written[id] = digest
        if batch:
            batch.commit()
    except BaseException:
        if batch:
            batch.abandon()
        raise
    return list(written)


def _with_tables(evidence: Evidence, columns: dict[str, Columns]) -> tuple[Evidence, dict[str, pa.Table]]:
    """The evidence with its tables' content digests filled in, and the tables."""
    if not columns:
        return (msgspec.structs.replace(evidence, tables={}) if evidence.tables else evidence), {}
    from measure.store import tables

    arrow = {name: tables.to_arrow(one, f"{evidence.id}.{name}") for name, one in sorted(columns.items())}
    digests = {name: tables.content(one, f"{evidence.id}.{name}") for name, one in arrow.items()}
    return msgspec.structs.replace(evidence, tables=digests), arrow


def _digest(evidence: Evidence) -> str:
    try:
        return content_digest(evidence)
    except (ValueError, TypeError) as error:
        raise UsageError(
            f"{evidence.id}: {error}", remedy="parameters hold plain finite values; decline what has none"
        ) from error


def _stage(
    batch: Batch, evidence: Evidence, digest: str, tables: dict[str, pa.Table], made: Made, live: Line | None
) -> None:
    """Stage the record, its tables and its line; what it supersedes is moved aside under its own digest."""
    id = evidence.id
    data = encode(digest, evidence, made)
    batch.stage(data, ids.record_path(id), ids.retired_path(live.digest) if live else "")
    files = {}
    for name, table in tables.items():
        files[name] = _stage_table(batch, id, name, table, live)
    for name in live.tables if live else ():
        if name not in tables:
            batch.retire(ids.table_path(id, name), ids.retired_path(live.digest, name))  # type: ignore[union-attr]
    follows = manifest.link(live) if live else ""
    batch.line(manifest.encode(manifest.line_of(evidence, digest, digest_of_bytes(data), files, follows)))


def _stage_table(batch: Batch, id: str, name: str, table: pa.Table, live: Line | None) -> str:
    from measure.store.tables import encode as parquet

    data = parquet(table)
    had = live is not None and name in live.tables
    batch.stage(data, ids.table_path(id, name), ids.retired_path(live.digest, name) if live and had else "")
    return digest_of_bytes(data)
