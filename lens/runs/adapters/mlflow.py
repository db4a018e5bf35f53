"""MLflow's file store: `mlruns/<experiment>/<run>/metrics/<name>`, a line `timestamp value step` each."""

from __future__ import annotations

from pathlib import Path

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
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
    """A metric is named by its path below `metrics`, nested names with their slashes."""
    (run,) = _runs(source)
    writer.trainer = "MLflow"
    for path in files(source):
        kind = path.relative_to(run).parts[0]
        name = "/".join(path.relative_to(run).parts[1:])
        if kind == "params":
            writer.config[name] = path.read_text("utf-8", "replace")
        else:
            _metric(path, name, writer)
    writer.lacks("rollouts", "MLflow's files hold numbers by step", "give the trainer's own output folder")


def _metric(path: Path, name: str, writer: Writer) -> None:
    text = path.read_bytes()
    lines = text.decode("utf-8", "replace").splitlines()
    for at, line in enumerate(lines, 1):
        parts = line.split()
        try:
            value, step = float(parts[1]), int(parts[2])
        except (IndexError, ValueError):
            if at == len(lines) and not text.endswith(b"\n"):
                writer.torn(path, at)
                return
            raise UsageError(f"{path}:{at}: {line[:60]!r} is not `timestamp value step`") from None
        writer.series(step, {name: value})


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
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=65,
)
