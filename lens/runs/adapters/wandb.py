"""Weights & Biases: rows of `run.scan_history()`, `run-<id>.wandb` as it lies on the machine that trained, and tables
as `{columns, data}`.

`run.history()` is a sample of at most 500 rows: it declines. `scan_history(keys=...)` keeps only rows that hold every
key. W&B's own step counts calls, so that the trainer's is the one a row tells. A run's last table is written twice.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats import trl, trl_log, trl_tables, wandb_log
from lens.runs.formats.logged import Logged, Rows, numbers
from lens.runs.formats.rows import first_row, kind_of, rows
from lens.runs.gather import whole
from lens.runs.settings import Settings
from lens.runs.writer import Writer

if TYPE_CHECKING:
    import pyarrow as pa

STEP, TYPE = "_step", "._type"
SAMPLE = 500  # rows that history() returns unless told otherwise
REMEDY = "export with scan_history() and no keys, or download the run's Parquet history"


def recognise(source: Source) -> str:
    if found := _histories(source):
        return f"{found[0].name}: rows with {STEP}"
    if found := _logs(source):
        return f"{found[0].name}: wandb's own log"
    found = _tables(source)
    return f"{found[0].name}: a table of columns and data" if found else ""


def files(source: Source) -> list[Path]:
    """Exports where there are any, else wandb's own log. Raises UsageError where the folder holds several of those."""
    history = _histories(source)
    logs = [] if history else _logs(source)
    if len(logs) > 1:
        raise UsageError(
            f"{source.path} holds {len(logs)} wandb runs: {', '.join(one.parent.name for one in logs[:4])}",
            remedy=f"name one of them: lens measure run {logs[0].parent}",
        )
    return [*history, *logs, *_tables(source)]


def read(source: Source, writer: Writer) -> None:
    """Series from histories; rollouts from tables of completions, as TRL logs them."""
    writer.trainer = "Weights & Biases"
    history, found = Rows(), files(source)
    config: dict[str, Any] = {}
    for path in found:
        if path.suffix == ".wandb":
            config |= _own(path, history, writer)
        elif path.suffix != ".json":
            _exported(path, history, writer)
    writer.config = trl.config(source) or config
    log = history.settled(writer, found[0])
    first = next(_completions(source), None)
    leaves = trl_tables.leaves(first[2], log.leaves, first[0], writer) if first else ()
    writer.settings = trl.settings(writer.config, leaves) if "num_generations" in writer.config else Settings()
    trl_tables.write(_completions(source), leaves, writer)
    _series(history, log, leaves, found[0], writer)
    trl.lacks(writer)
    if not first:
        writer.lacks(
            "rollouts",
            "no table of completions was exported",
            "log_completions=True, and download the run's media/table files beside its history",
        )
    elif writer.config:
        trl_tables.coverage(log.last, writer)


def _series(history: Rows, log: Logged, leaves: tuple[str, ...], path: Path, writer: Writer) -> None:
    """The log's series, unless its rows are a sample."""
    calls = sorted(history.calls)
    gaps = {after - before for before, after in pairwise(calls)}
    span = calls[-1] - calls[0] + 1 if calls else 0
    uneven = span > len(set(calls)) and len(gaps - {0}) > 1
    if uneven and len(calls) == SAMPLE:
        writer.lacks("series", f"sampled history ({SAMPLE} of {calls[-1]:,}): it depends on the draw", REMEDY)
        return
    if uneven:
        told = f"rows for {len(calls)} of W&B's {span} steps, as history(samples=...) or scan_history(keys=...) leave"
        writer.found("series-gap", f"{told}; {REMEDY}", path)
    log.write(writer, path)
    trl_log.check(log.rewards(), leaves, writer)


def _exported(path: Path, history: Rows, writer: Writer) -> None:
    for line, row in rows(path, kind_of(path), writer.torn):
        cells = row if kind_of(path) != "csv" else {name: _number(value) for name, value in row.items()}
        _add(cells, history, path, line)


def _own(path: Path, history: Rows, writer: Writer) -> dict[str, Any]:
    """Adds wandb's own log to the history; the run's configuration."""
    config: dict[str, Any] = {}
    for at, (kind, row) in enumerate(wandb_log.rows(path, writer), 1):
        if kind == "config":
            config |= {name: value for name, value in row.items() if name != "_wandb"}
        else:
            _add(row, history, path, at)
    return config


def _add(row: dict[str, Any], history: Rows, path: Path, line: int) -> None:
    """The row's numbers, without wandb's own and what it says of a table or image."""
    step = whole(row.get(STEP), path, line, STEP)
    media = tuple(f"{name.removesuffix(TYPE)}." for name in row if name.endswith(TYPE))
    kept = {name: value for name, value in numbers(row) if not name.startswith(("_", *media))}
    try:
        history.add(step, kept)
    except (ValueError, OverflowError) as error:
        raise UsageError(f"{path}:{line}: {error}") from None


def _number(value: Any) -> Any:
    """A cell as a number where it is one: cells of CSV are text."""
    if isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return value
    return value


def _histories(source: Source) -> list[Path]:
    paths = [source.path] if source.path.is_file() else source.files("*")
    return [path for path in paths if kind_of(path) in ("jsonl", "csv", "parquet") and STEP in first_row(path)]


def _logs(source: Source) -> list[Path]:
    """wandb's own logs: in the run's folder, its `wandb` folder, or that one's parent; `latest-run` is one of them."""
    if source.path.is_file():
        return [source.path] if source.path.suffix == ".wandb" else []
    found = [one for pattern in ("*.wandb", "*run-*/*.wandb", "wandb/*run-*/*.wandb") for one in source.files(pattern)]
    return [one for one in found if not one.parent.is_symlink()]


def _completions(source: Source) -> Iterator[tuple[Path, str, pa.Table]]:
    for path in _tables(source):
        held = reading.json_file(path)
        names, data = held["columns"], held["data"]
        if not all(isinstance(name, str) for name in names):
            raise UsageError(f"{path}: a column's name is text")
        if any(not isinstance(row, list) or len(row) != len(names) for row in data):
            raise UsageError(f"{path}: a row has other cells than its {len(names)} columns")
        if {"step", "prompt", "completion"} <= set(names):
            columns = {name: [row[at] for row in data] for at, name in enumerate(names)}
            yield path, path.name, trl_tables.table(columns, path)


def _tables(source: Source) -> list[Path]:
    if source.path.is_file():
        logged = [source.path.parent] if source.path.suffix == ".wandb" else []
        paths = [source.path, *(one for base in logged for one in Source(base).files("files/media/table/**/*.json"))]
    else:
        beside = [] if _histories(source) else [Source(one.parent) for one in _logs(source)[:1]]
        places = ("*.table.json", "media/table/**/*.json", "files/media/table/**/*.json")
        paths = [one for base in beside or [source] for place in places for one in base.files(place)]
    return [path for path in paths if path.suffix == ".json" and _is_table(path)]


def _is_table(path: Path) -> bool:
    try:
        held = reading.json_file(path)
    except UsageError:
        return False
    return isinstance(held, dict) and isinstance(held.get("columns"), list) and isinstance(held.get("data"), list)


ADAPTER = Adapter(
    name="wandb",
    title="Weights & Biases",
    layout="rows of scan_history(), run-*.wandb, media/table/**/*.table.json",
    versions="wandb 0.18 and later; its log as 0.31 writes it",
    tested="real run",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=64,
)
