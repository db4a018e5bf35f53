"""MLflow's SQLite store, its default since 3.7: tables `runs`, `metrics` (a row a number) and `params`."""

from __future__ import annotations

import math
import sys
from pathlib import Path

from lens.errors import UsageError
from lens.runs.formats import sqlite
from lens.runs.formats.logged import Logged
from lens.runs.formats.several import chosen

LARGEST = sys.float_info.max  # stands for infinity there


def is_store(path: Path) -> bool:
    return path.suffix == ".db" and {"run_uuid", "is_nan"} <= set(sqlite.tables(path).get("metrics", ()))


def read(path: Path, named: str) -> tuple[Logged, dict[str, str]]:
    """The numbers of one run in the order they were logged, and its parameters as text.

    Raises UsageError where the database is damaged, or holds several runs and none was named.
    """
    log = Logged()
    with sqlite.opened(path) as database:
        wanted = "SELECT run_uuid, name FROM runs WHERE lifecycle_stage = 'active' ORDER BY start_time"
        run = (chosen(list(sqlite.rows(database, path, wanted)), named, path),)
        wanted = "SELECT key, value, step, is_nan FROM metrics WHERE run_uuid = ? ORDER BY timestamp, rowid"
        for key, value, step, broken in sqlite.rows(database, path, wanted, run):
            try:
                log.add(step, str(key), math.nan if broken else _infinite(float(value)))
            except (TypeError, ValueError, OverflowError):
                raise UsageError(f"{path}: {key} holds {value!r} at step {step!r}") from None
        wanted = "SELECT key, value FROM params WHERE run_uuid = ?"
        return log, {str(key): str(value) for key, value in sqlite.rows(database, path, wanted, run)}


def _infinite(value: float) -> float:
    return math.copysign(math.inf, value) if abs(value) == LARGEST else value
