"""Trackio's database: `$TRACKIO_DIR/<project>.db`, numbers and TRL's tables of completions as JSON.

The database's own step counts calls of log, 2, 4, 6, ... for TRL's steps 1, 2, 3, ...: the step a row says of itself is
the trainer's.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs import trl, trl_log, trl_tables
from lens.runs.adapter import Adapter, Source
from lens.runs.files import json_bytes
from lens.runs.writer import Writer

STEP = "train/global_step"
_NOT_FINITE = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}


def recognise(source: Source) -> str:
    found = _databases(source)
    return f"{found[0].name}: a Trackio database" if found else ""


def files(source: Source) -> list[Path]:
    """Raises UsageError where the folder holds several projects."""
    found = _databases(source)
    if len(found) > 1:
        raise UsageError(
            f"{source.path} holds {len(found)} Trackio projects: {', '.join(one.stem for one in found)}",
            remedy=f"name one of them: lens measure run {found[0]}",
        )
    logs = [log for one in found if (log := _log_of(one)).is_file()]
    return [*found, *logs, *([source.config] if source.config else [])]


def read(source: Source, writer: Writer) -> None:
    """Series of one run of the project, and its tables of completions as rollouts.

    Raises UsageError where the database is damaged or holds several runs.
    """
    import pyarrow as pa

    (path,) = _databases(source)
    with closing(_opened(path)) as database:
        runs = [one for (one,) in _rows(database, path, "SELECT DISTINCT run_name FROM metrics ORDER BY 1")]
        if len(runs) > 1:
            told = ", ".join(runs[:4])
            raise UsageError(
                f"{path} holds {len(runs)} runs: {told}", remedy="export one: its rows as JSON Lines, --map"
            )
        kept = [json_bytes(_bytes(one), str(path)) for (one,) in _rows(database, path, "SELECT config FROM configs")]
        logged = [
            json_bytes(_bytes(one), f"{path}: row {at}")
            for at, one in _rows(database, path, "SELECT id, metrics FROM metrics ORDER BY id")
        ]
    writer.trainer = "TRL, logged by Trackio"
    writer.config = trl.config(source) or next((one for one in kept if isinstance(one, dict)), {})
    log = [dict(_numbers(row)) | {"step": int(row[STEP])} for row in logged if STEP in row]
    tables = [(path, f"table {at}", pa.Table.from_pylist(rows)) for at, rows in enumerate(_tables(logged), 1)]
    names = trl_log.leaves(log)
    leaves = tuple(one for one in (tables[0][2].column_names if tables else ()) if one in names)
    if writer.config and "num_generations" in writer.config:
        writer.settings = trl.settings(writer.config, leaves)
    trl_tables.write(tables, leaves, writer)
    trl_log.series(log, writer)
    trl_tables.coverage(log, writer)
    if not tables:
        writer.lacks("rollouts", "no table of completions was logged", "log_completions=True in the next run")


def _databases(source: Source) -> list[Path]:
    paths = [source.path] if source.path.is_file() else source.files("*.db")
    return [one for one in paths if one.suffix == ".db" and _is_trackio(one)]


def _is_trackio(path: Path) -> bool:
    try:
        with closing(_opened(path)) as database:
            names = {one for (one,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except (sqlite3.Error, UsageError):
        return False
    return {"metrics", "configs"} <= names


def _opened(path: Path) -> sqlite3.Connection:
    """Read-only; what a writer has not folded in yet lies beside it and is read too."""
    still = "" if _log_of(path).is_file() else "&immutable=1"
    return sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro{still}", uri=True)


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


def _rows(database: sqlite3.Connection, path: Path, statement: str) -> list[tuple[Any, ...]]:
    try:
        return database.execute(statement).fetchall()
    except sqlite3.Error as error:
        raise UsageError(f"{path}: {error}", remedy="copy the database again, with nothing writing to it") from None


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def _numbers(row: dict[str, Any]) -> Iterator[tuple[str, float]]:
    for name, value in row.items():
        value = _NOT_FINITE.get(value, value) if isinstance(value, str) else value
        if isinstance(value, (int, float)) and name != STEP:
            yield name.removeprefix("train/"), float(value)


def _tables(logged: list[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for row in logged:
        for value in row.values():
            if isinstance(value, dict) and value.get("_type") == "trackio.table":
                rows = value.get("_value")
                if isinstance(rows, list) and rows and "completion" in rows[0]:
                    yield [{name: _plain(name, one) for name, one in each.items()} for each in rows]


def _plain(name: str, value: Any) -> Any:
    """A cell: numbers that aren't finite come as text."""
    return _NOT_FINITE.get(value, value) if isinstance(value, str) and name not in ("prompt", "completion") else value


ADAPTER = Adapter(
    name="trackio",
    title="Trackio",
    layout="$TRACKIO_DIR/<project>.db",
    versions="Trackio 0.43",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=62,
)
