"""Trackio's database: `$TRACKIO_DIR/<project>.db`, numbers and TRL's tables of completions as JSON.

The database's own step counts calls of log, 2, 4, 6, ... for TRL's steps 1, 2, 3, ...: the step a row says of itself is
the trainer's. Runs of a project share its file: `<project>.db::RUN` names one of several.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import sqlite, trl, trl_log, trl_tables
from lens.runs.formats.files import json_bytes
from lens.runs.formats.logged import Rows, numbers
from lens.runs.formats.several import chosen
from lens.runs.settings import Settings
from lens.runs.writer import Writer

if TYPE_CHECKING:
    import pyarrow as pa

TABLE = "trackio.table"


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
    return [*found, *(log for one in found if (log := sqlite.log_of(one)).is_file())]


def read(source: Source, writer: Writer) -> None:
    """Series of one run of the project, and its tables of completions as rollouts.

    Raises UsageError where the database is damaged, or holds several runs and none was named.
    """
    (path,) = _databases(source)
    writer.trainer = "TRL, logged by Trackio"
    with sqlite.opened(path) as database:
        run = _run(database, path, source.part)
        writer.config = trl.config(source) or _config(database, path, run)
        held = Rows()
        for at, step, row in _logged(database, path, run):
            try:
                held.add(step, dict(numbers(row)))
            except (ValueError, OverflowError) as error:
                raise UsageError(f"{path}: row {at} of metrics: {error}") from None
        log = held.settled(writer, path)
        first = next(_tables(database, path, run), None)
        leaves = trl_tables.leaves(first[2], log.leaves, path, writer) if first else ()
        writer.settings = trl.settings(writer.config, leaves) if "num_generations" in writer.config else Settings()
        trl_tables.write(_tables(database, path, run), leaves, writer)
    log.write(writer, path)
    trl_log.check(log.rewards(), leaves, writer)
    trl.lacks(writer)
    if first:
        trl_tables.coverage(log.last, writer)
    else:
        writer.lacks("rollouts", "no table of completions was logged", "log_completions=True in the next run")


def _databases(source: Source) -> list[Path]:
    paths = [source.path] if source.path.is_file() else source.files("*.db")
    return [one for one in paths if one.suffix == ".db" and "metrics" in sqlite.tables(one).get("metrics", ())]


def _run(database: sqlite3.Connection, path: Path, named: str) -> tuple[str, str]:
    """The column that tells runs apart, and the value of the one asked for."""
    columns = sqlite.tables(path)["metrics"]
    key = "run_id" if "run_id" in columns else "run_name"
    statement = f"SELECT {key}, max(run_name) FROM metrics GROUP BY {key} ORDER BY 2, 1"
    return key, chosen(list(sqlite.rows(database, path, statement)), named, path)


def _config(database: sqlite3.Connection, path: Path, run: tuple[str, str]) -> dict[str, Any]:
    key, value = run
    for (config,) in sqlite.rows(database, path, f"SELECT config FROM configs WHERE {key} = ?", (value,)):
        held = json_bytes(_bytes(config), f"{path}: configs")
        if isinstance(held, dict):
            return held
    return {}


def _logged(
    database: sqlite3.Connection, path: Path, run: tuple[str, str]
) -> Iterator[tuple[int, int, dict[str, Any]]]:
    """(id, the database's step, row) in the order they were logged."""
    key, value = run
    statement = f"SELECT id, step, metrics FROM metrics WHERE {key} = ? ORDER BY id"
    for at, step, metrics in sqlite.rows(database, path, statement, (value,)):
        row = json_bytes(_bytes(metrics), f"{path}: row {at} of metrics")
        if not isinstance(row, dict) or not isinstance(step, int):
            raise UsageError(f"{path}: row {at} of metrics is not a step with an object of numbers")
        yield at, step, row


def _bytes(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")


def _tables(database: sqlite3.Connection, path: Path, run: tuple[str, str]) -> Iterator[tuple[Path, str, pa.Table]]:
    for at, _, row in _logged(database, path, run):
        for value in row.values():
            if not isinstance(value, dict) or value.get("_type") != TABLE:
                continue
            cells = value.get("_value")
            if not isinstance(cells, list) or not all(isinstance(one, dict) for one in cells):
                raise UsageError(f"{path}: row {at} of metrics: a table is no list of rows")
            if cells and {"step", "prompt", "completion"} <= set(cells[0]):
                columns = {name: [one.get(name) for one in cells] for name in cells[0]}
                yield path, f"the table of row {at}", trl_tables.table(columns, path)


ADAPTER = Adapter(
    name="trackio",
    title="Trackio",
    layout="$TRACKIO_DIR/<project>.db",
    versions="Trackio 0.43",
    tested="real run",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=62,
    parts=True,
)
