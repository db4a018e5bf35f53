"""Weights & Biases exports: rows of `run.scan_history()`, and tables as `{columns, data}`.

`run.history()` is a random sample of at most 500 rows, another at every call: it declines. `scan_history(keys=...)`
keeps only rows that hold every key. A run's last table is written twice. Offline `.wandb` files are refused.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs import files as reading
from lens.runs import trl, trl_log, trl_tables
from lens.runs.adapter import Adapter, Source
from lens.runs.gather import whole
from lens.runs.rows import kind_of, rows
from lens.runs.writer import Writer

STEP = "_step"
SAMPLE = 500  # rows that history() returns at most


def recognise(source: Source) -> str:
    history, tables = _histories(source), _tables(source)
    if history or tables:
        return f"{(history or tables)[0].name}: {'rows with _step' if history else 'a table of columns and data'}"
    offline = [source.path] if source.path.suffix == ".wandb" else source.files("*.wandb")
    return f"{offline[0].name}: an offline run" if offline else ""


def files(source: Source) -> list[Path]:
    """Raises UsageError for an offline run, whose log is wandb's own to read."""
    found = [*_histories(source), *_tables(source), *([source.config] if source.config else [])]
    if not found:
        raise UsageError(
            f"{source.path} is an offline W&B run",
            remedy="wandb sync it, then write run.scan_history() to history.jsonl, a row a line",
        )
    return found


def read(source: Source, writer: Writer) -> None:
    """Series from histories; rollouts from tables of completions, as TRL logs them."""
    import pyarrow as pa

    writer.trainer = "Weights & Biases"
    writer.config = trl.config(source)
    log = [row for path in _histories(source) for row in _history(path, writer)]
    tables = []
    for path in _tables(source):
        held = reading.json_file(path)
        names, data = held["columns"], held["data"]
        if any(not isinstance(row, list) or len(row) != len(names) for row in data):
            raise UsageError(f"{path}: a row has other cells than its {len(names)} columns")
        if {"step", "prompt", "completion"} <= set(names):
            columns = {name: [row[at] for row in data] for at, name in enumerate(names)}
            tables.append((path, path.name, pa.table(columns)))
    named = trl_log.leaves(log)
    leaves = tuple(one for one in (tables[0][2].column_names if tables else ()) if one in named)
    if writer.config:
        writer.settings = trl.settings(writer.config, leaves)
    trl_tables.write(tables, leaves, writer)
    trl_log.series(log, writer)
    if writer.config:
        trl_tables.coverage(log, writer)
    if not tables:
        writer.lacks(
            "rollouts",
            "no table of completions was exported",
            "log_completions=True, and download the run's media/table files beside its history",
        )


def _history(path: Path, writer: Writer) -> list[dict[str, Any]]:
    """Rows with the trainer's step, where they say it; none where the file is a sample."""
    found = []
    for line, row in rows(path, kind_of(path), writer.torn):
        step = whole(_number(row.get(STEP)), path, line, STEP)
        numbers = {
            name.removeprefix("train/"): _number(value) for name, value in row.items() if not name.startswith("_")
        }
        own = numbers.pop("global_step", None)
        kept = {name: value for name, value in numbers.items() if isinstance(value, (int, float))}
        found.append(kept | {"step": int(own) if isinstance(own, (int, float)) else step, STEP: step})
    last = max((one[STEP] for one in found), default=0)
    if len(found) == SAMPLE and last >= 2 * SAMPLE:
        writer.lacks(
            "series",
            f"sampled history ({SAMPLE} of {last:,}): another subset at every call",
            "export with scan_history() and no keys, or download the run's Parquet history",
        )
        return []
    for one in found:
        del one[STEP]
    return found


def _number(value: Any) -> Any:
    """A cell as a number where it is one: cells of CSV are text."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return None
    return value


def _histories(source: Source) -> list[Path]:
    paths = [source.path] if source.path.is_file() else source.files("*")
    return [path for path in paths if kind_of(path) in ("jsonl", "csv", "parquet") and STEP in _first(path)]


def _first(path: Path) -> dict[str, Any]:
    try:
        found = next(rows(path, kind_of(path), lambda *_: None), None)
    except (UsageError, OSError):
        return {}
    return found.value if found else {}


def _tables(source: Source) -> list[Path]:
    paths = (
        [source.path]
        if source.path.is_file()
        else [*source.files("*.table.json"), *source.files("media/table/**/*.json")]
    )
    return [path for path in paths if path.suffix == ".json" and _is_table(path)]


def _is_table(path: Path) -> bool:
    try:
        held = reading.json_file(path)
    except UsageError:
        return False
    return isinstance(held, dict) and isinstance(held.get("columns"), list) and isinstance(held.get("data"), list)


ADAPTER = Adapter(
    name="wandb",
    title="Weights & Biases export",
    layout="rows of scan_history(), media/table/**/*.table.json",
    versions="wandb 0.18 and later",
    tested="documentation",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=64,
)
