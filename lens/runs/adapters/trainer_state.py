"""Hugging Face's `trainer_state.json` alone: what any of its trainers logged, a row a logging step."""

from __future__ import annotations

from pathlib import Path

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import trl, trl_log
from lens.runs.writer import Writer


def recognise(source: Source) -> str:
    path = _log(source)
    try:
        rows = trl_log.rows(path)
    except UsageError:
        return ""
    return f"{path.name}: log_history" if path and any({"step", "epoch"} <= set(row) for row in rows) else ""


def files(source: Source) -> list[Path]:
    return [one for one in (_log(source), trl.find(source)) if one is not None]


def read(source: Source, writer: Writer) -> None:
    """Every logged number under its own name; a step at which one was not logged has a gap."""
    log = trl_log.logged(trl_log.rows(_log(source)))
    writer.trainer = "Hugging Face Trainer"
    writer.config = trl.config(source)
    trl.series_only(log, writer)
    log.write(writer)
    writer.lacks(
        "rollouts",
        "a trainer's log holds means by step",
        "log_completions=True writes the rollouts of the next run; or attach lens.runs.tap",
    )


def _log(source: Source) -> Path | None:
    return source.path if source.path.is_file() and source.path.suffix == ".json" else trl_log.find(source)


ADAPTER = Adapter(
    name="trainer-state",
    title="Hugging Face trainer log",
    layout="checkpoint-*/trainer_state.json",
    versions="transformers 4.40 to 5.24",
    tested="real run",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=60,
)
