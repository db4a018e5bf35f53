"""The store as relational tables: what was measured, field by field, and the rows behind it."""

from __future__ import annotations

import shutil
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lens.errors import StoreError
from lens.reading import Declined, Field, Label, Quantity, Quote
from measure.store import ids
from measure.store.lock import refused
from measure.store.store import Store

if TYPE_CHECKING:
    import duckdb

_EVIDENCE = """id VARCHAR, kind VARCHAR, subject VARCHAR, instrument VARCHAR, variant VARCHAR, version INTEGER,
    reading VARCHAR, headline VARCHAR, scope VARCHAR, fingerprint VARCHAR, spec VARCHAR, access VARCHAR,
    parameters VARCHAR, seed BIGINT, trust VARCHAR, digest VARCHAR, file VARCHAR,
    made VARCHAR, seconds DOUBLE, cpu_seconds DOUBLE, calls BIGINT, revision VARCHAR"""
_FIELDS = """id VARCHAR, field VARCHAR, "is" VARCHAR, value DOUBLE, "of" BIGINT, unit VARCHAR, kind VARCHAR,
    low DOUBLE, high DOUBLE, method VARCHAR, level DOUBLE, n BIGINT, n_eff BIGINT,
    text VARCHAR, reason VARCHAR, remedy VARCHAR, note VARCHAR"""
_BESIDE_ID = "* RENAME (id AS row_id)"
_INPUTS = """id VARCHAR, role VARCHAR, name VARCHAR, digest VARCHAR, locator VARCHAR, rows BIGINT, licence VARCHAR"""


def export(store: Store, out: Path) -> dict[str, int]:
    """Write `out/evidence.duckdb`, `out/parquet/*.parquet` and `out/csv/*.csv`; rows by table name.

    Every record and table is checked against its file digest on the way. What was in `out` under these names is
    replaced only when all of it is written. Raises StoreError where the disk refuses.
    """
    import duckdb

    staging = out / ".new"
    try:
        shutil.rmtree(staging, ignore_errors=True)
        (staging / "parquet").mkdir(parents=True)
        (staging / "csv").mkdir()
        with store.reading(), duckdb.connect(str(staging / "evidence.duckdb"), config={"threads": 1}) as database:
            _check(store)
            _records(store, database)
            _rows(store, database)
            counts = _files(database, staging)
        for name in ("parquet", "csv", "evidence.duckdb"):
            _replace(staging / name, out / name)
        staging.rmdir()
    except (OSError, duckdb.IOException) as error:
        shutil.rmtree(staging, ignore_errors=True)
        if isinstance(error, OSError):
            raise refused(error, out, "the export was not written") from error
        raise StoreError(f"{out}: {error}", remedy="free some space, or name another folder with --out") from error
    return counts


def _check(store: Store) -> None:
    findings = store.check_file_digests()
    if findings:
        raise StoreError(f"{store.root}/{findings[0]}", remedy="lens evidence verify")


def _records(store: Store, database: duckdb.DuckDBPyConnection) -> None:
    evidence, fields, inputs = [], [], []
    for line in store.manifest():
        record = store.record(line.id)
        evidence.append(_evidence_row(store, line.id))
        fields += [(line.id, name, *_field_row(field)) for name, field in record.fields.items()]
        inputs += [
            (line.id, one.role, one.name, one.digest, one.locator, one.rows, one.licence)
            for one in record.evidence.inputs
        ]
    for name, columns, rows in (
        ("evidence", _EVIDENCE, evidence),
        ("fields", _FIELDS, fields),
        ("inputs", _INPUTS, inputs),
    ):
        database.execute(f"CREATE TABLE {name} ({columns})")
        if rows:
            _insert(database, name, rows)


def _insert(database: duckdb.DuckDBPyConnection, name: str, rows: list[tuple[Any, ...]]) -> None:
    """All rows in one Arrow table: DuckDB's executemany takes a millisecond a row."""
    import pyarrow as pa

    names = [column[0] for column in database.execute(f"SELECT * FROM {name} LIMIT 0").description or ()]
    arrow = pa.table({column: list(values) for column, values in zip(names, zip(*rows, strict=True), strict=True)})
    database.register("incoming", arrow)
    database.execute(f"INSERT INTO {name} SELECT * FROM incoming")
    database.unregister("incoming")


def _evidence_row(store: Store, id: str) -> tuple[Any, ...]:
    record, line = store.record(id), store.line(id)
    evidence, made = record.evidence, record.made
    return (
        id, evidence.subject.kind, evidence.subject.slug, evidence.instrument, evidence.variant, evidence.version,
        line.reading, getattr(evidence.reading, "headline", None), getattr(evidence.reading, "scope", None),
        evidence.subject.fingerprint, evidence.subject.spec, " ".join(evidence.access),
        msgspec.json.encode(evidence.parameters, order="sorted").decode(), evidence.seed, store.trust(id).level,
        line.digest, line.file, made.time, made.seconds, made.cpu_seconds, made.calls, made.revision,
    )  # fmt: skip


def _field_row(field: Field) -> tuple[Any, ...]:
    """A field in the columns of `fields`, after id and field; a decline has no value, and so NULL."""
    match field:
        case Quantity():
            ends = field.interval
            interval = (ends.low, ends.high, ends.method, ends.level) if ends else (None,) * 4
            return ("quantity", float(field.value), field.of, field.unit, field.kind, *interval,
                    field.n, field.n_eff, None, None, None, field.note or None)  # fmt: skip
        case Label():
            return ("label", *(None,) * 10, field.value, None, None, field.note or None)
        case Quote():
            return ("quote", field.value, field.of, field.unit, field.kind, *(None,) * 6,
                    field.printed, None, None, field.note or None)  # fmt: skip
        case Declined():
            return ("declined", *(None,) * 10, field.detail, field.reason, field.remedy, None)


def _rows(store: Store, database: duckdb.DuckDBPyConnection) -> None:
    """Every row-level table: those of one instrument under one name, stacked by column name in the order of ids."""
    by_name: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
    for line in store.manifest():
        for table in line.tables:
            name = f"{line.parts.instrument}_{table}".replace("-", "_")
            by_name[name].append((line.id, str(store.root / ids.table_path(line.id, table))))
    for name, parts in sorted(by_name.items()):
        paths = [path for _, path in parts]
        database.execute(
            f'CREATE TABLE "{name}" AS SELECT NULL::VARCHAR AS id, {_BESIDE_ID} '
            "FROM read_parquet(?, union_by_name=true) LIMIT 0",
            [paths],
        )
        for id, path in parts:
            database.execute(
                f'INSERT INTO "{name}" BY NAME SELECT ? AS id, {_BESIDE_ID} FROM read_parquet(?)', [id, path]
            )


def _files(database: duckdb.DuckDBPyConnection, folder: Path) -> dict[str, int]:
    counts: dict[str, int] = {}
    names = database.execute("SELECT table_name FROM duckdb_tables() ORDER BY table_name").fetchall()
    for (name,) in names:
        row = database.execute(f'SELECT count(*) FROM "{name}"').fetchone()
        counts[name] = row[0] if row else 0
        database.execute(f"COPY \"{name}\" TO '{_quoted(folder / 'parquet' / name)}.parquet' (FORMAT parquet)")
        database.execute(f"COPY \"{name}\" TO '{_quoted(folder / 'csv' / name)}.csv' (FORMAT csv, HEADER)")
    return counts


def _quoted(path: Path) -> str:
    return str(path).replace("'", "''")


def _replace(new: Path, old: Path) -> None:
    if old.is_dir():
        shutil.rmtree(old)
    new.replace(old)
