"""MLflow's stores: `mlruns/<experiment>/<run>/metrics/<name>`, a line `timestamp value step` each, and `mlflow.db`.

Where one holds several runs, `<store>::RUN` names one of them.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import mlflow_db, sqlite, trl
from lens.runs.formats.logged import Logged
from lens.runs.formats.several import chosen
from lens.runs.writer import Writer


def recognise(source: Source) -> str:
    if found := _runs(source):
        return f"{found[0].name}/metrics"
    stores = _stores(source)
    return f"{stores[0].name}: tables of an MLflow store" if stores else ""


def files(source: Source) -> list[Path]:
    """Raises UsageError for several runs or stores of which none was named."""
    if runs := _runs(source):
        return _files(_run(runs, source))
    stores = _stores(source)
    if len(stores) > 1:
        raise UsageError(f"{source.path} holds {len(stores)} MLflow stores", remedy=f"lens measure run {stores[0]}")
    return [*stores, *(log for one in stores if (log := sqlite.log_of(one)).is_file())]


def read(source: Source, writer: Writer) -> None:
    """Metrics by name, nested names with their slashes; parameters are what was trained with."""
    writer.trainer = "MLflow"
    runs = _runs(source)
    log, params = _stored(_run(runs, source), writer) if runs else mlflow_db.read(_stores(source)[0], source.part)
    writer.config = trl.config(source) or {name: _value(text) for name, text in params.items()}
    trl.series_only(log, writer)
    log.write(writer)
    writer.lacks("rollouts", "MLflow's stores hold numbers by step", "give the trainer's own output folder")


def _stored(run: Path, writer: Writer) -> tuple[Logged, dict[str, str]]:
    log, params = Logged(), {}
    for path in _files(run):
        kind, *parts = path.relative_to(run).parts
        if kind == "params":
            params["/".join(parts)] = path.read_text("utf-8", "replace")
        else:
            _metric(path, "/".join(parts), log, writer)
    return log, params


def _files(run: Path) -> list[Path]:
    return [one for kind in ("metrics", "params") for one in sorted((run / kind).rglob("*")) if one.is_file()]


def _run(runs: list[Path], source: Source) -> Path:
    """The one run that is meant, by its folder or by the name it was given."""
    calls = [run / "tags/mlflow.runName" for run in runs]
    names = [one.read_text("utf-8", "replace").strip() if one.is_file() else "" for one in calls]
    found = chosen([(run.name, name) for run, name in zip(runs, names, strict=True)], source.part, source.path)
    return next(run for run in runs if run.name == found)


def _metric(path: Path, name: str, log: Logged, writer: Writer) -> None:
    with path.open("rb") as stream:
        for at, line in enumerate(stream, 1):
            parts = line.split()
            try:
                log.add(int(parts[2]), name, float(parts[1]))
            except (IndexError, ValueError, OverflowError):
                if not line.endswith(b"\n"):
                    writer.torn(path, at)
                    return
                told = line[:60].decode("utf-8", "replace").rstrip()
                raise UsageError(f"{path}:{at}: {told!r} is not `timestamp value step`") from None


def _value(text: str) -> Any:
    """What Python wrote as text; the text itself where it is no plain value."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    return value if value is None or isinstance(value, (bool, int, float, list)) else text


def _runs(source: Source) -> list[Path]:
    if not source.path.is_dir():
        return []
    for pattern in ("metrics", "*/metrics", "*/*/metrics", "mlruns/*/*/metrics"):
        found = [one.parent for one in sorted(source.path.glob(pattern)) if (one.parent / "meta.yaml").is_file()]
        if found:
            return found
    return []


def _stores(source: Source) -> list[Path]:
    paths = [source.path] if source.path.is_file() else source.files("*.db")
    return [one for one in paths if mlflow_db.is_store(one)]


ADAPTER = Adapter(
    name="mlflow",
    title="MLflow",
    layout="mlruns/<experiment>/<run>/metrics/<name>, mlflow.db",
    versions="MLflow 2 and 3, files and SQLite",
    tested="real run",
    version=3,
    recognise=recognise,
    files=files,
    read=read,
    order=65,
    named=True,
    parts=True,
)
