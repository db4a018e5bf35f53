"""MLflow's file store: `mlruns/<experiment>/<run>/metrics/<name>`, a line `timestamp value step` each."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs import trl
from lens.runs.adapter import Adapter, Source
from lens.runs.logged import Logged
from lens.runs.writer import Writer


def recognise(source: Source) -> str:
    found = _runs(source)
    return f"{found[0].name}/metrics" if found else ""


def files(source: Source) -> list[Path]:
    """Raises UsageError for a store of several runs."""
    runs = _runs(source)
    if len(runs) > 1:
        raise UsageError(
            f"{source.path} holds {len(runs)} MLflow runs",
            remedy=f"name one of them: lens measure run {runs[0]}",
        )
    return [one for kind in ("metrics", "params") for one in sorted((runs[0] / kind).rglob("*")) if one.is_file()]


def read(source: Source, writer: Writer) -> None:
    """A metric is named by its path below `metrics`, nested names with their slashes; parameters are what was trained
    with."""
    (run,) = _runs(source)
    writer.trainer = "MLflow"
    log, params = Logged(), {}
    for path in files(source):
        kind = path.relative_to(run).parts[0]
        name = "/".join(path.relative_to(run).parts[1:])
        if kind == "params":
            params[name] = _value(path.read_text("utf-8", "replace"))
        else:
            _metric(path, name, log, writer)
    writer.config = trl.config(source) or params
    trl.series_only(log, writer)
    log.write(writer)
    writer.lacks("rollouts", "MLflow's files hold numbers by step", "give the trainer's own output folder")


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


ADAPTER = Adapter(
    name="mlflow",
    title="MLflow",
    layout="mlruns/<experiment>/<run>/metrics/<name>",
    versions="MLflow 2 and 3, file store",
    tested="real run",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=65,
)
