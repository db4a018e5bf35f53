"""OpenPipe ART: trajectories a step as Parquet, and what was logged by step."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats.rows import rows
from lens.runs.gather import Gather, whole
from lens.runs.writer import Writer

TRAIN = "trajectories/train"
COUNT = "data/step_num_trajectories"  # gathered at a step, those that failed with them
MEASURES = ("costs/", "data/", "throughput/", "time/")  # not what a reward is made of
COLUMNS = ["group_index", "reward", "metrics", "messages"]


def recognise(source: Source) -> str:
    found = _steps(source)
    return f"{TRAIN}/{found[0].name} with groups and messages" if found else ""


def files(source: Source) -> list[Path]:
    history = source.path / "history.jsonl"
    return [*_steps(source), *([history] if history.is_file() else [])]


def read(source: Source, writer: Writer) -> None:
    """Rollouts of the split `train`, metrics of a trajectory as its leaves; trajectories that failed aren't there."""
    gather = Gather(writer)
    held = {_step(path): gather.rows(path, _rollouts(path, writer)) for path in _steps(source)}
    history = source.path / "history.jsonl"
    if history.is_file():
        _history(history, held, writer)
    else:
        writer.lacks("series", "no history.jsonl beside trajectories", "give the model's folder, which holds both")
    others = sorted({path.parent.name for path in source.files("trajectories/*/*.parquet")} - {"train"})
    if others:
        writer.found("splits-left-out", f"evaluations are not rollouts trained on: {', '.join(others)}")
    writer.trainer = "ART"
    writer.lacks("advantage", "ART's files hold rewards and no advantages", "record the next run with lens.runs.tap")
    writer.lacks("logp_old", "ART's files hold no log-probabilities", "record the next run with lens.runs.tap")


def _steps(source: Source) -> list[Path]:
    return [path for path in source.files(f"{TRAIN}/*.parquet") if path.stem.isdigit()] if source.path.is_dir() else []


def _step(path: Path) -> int:
    return int(path.stem)


def _rollouts(path: Path, writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in rows(path, "parquet", writer.torn, COLUMNS):
        if "group_index" not in row or "reward" not in row:
            raise UsageError(f"{path}: no group_index and reward", remedy="is it ART's? name its columns with --map")
        prompt, completion = _said(row.get("messages"))
        metrics = _metrics(row.get("metrics"), path, line)
        yield (
            line,
            {
                "step": _step(path),
                "group": row["group_index"],
                "reward": row["reward"],
                "prompt_text": prompt,
                "completion_text": completion,
                **{_column(name): value for name, value in metrics.items()},
            },
        )


def _said(messages: Any) -> tuple[Any, Any]:
    """What came before the policy's first words, and the rest."""
    if not isinstance(messages, list) or not all(isinstance(one, dict) for one in messages):
        return None, None
    first = next((at for at, one in enumerate(messages) if one.get("trainable")), len(messages))
    return messages[:first], messages[first:]


def _metrics(value: Any, path: Path, line: int) -> dict[str, Any]:
    if value is None:
        return {}
    found = (
        reading.json_bytes(value.encode("utf-8", "surrogatepass"), f"{path}:{line}: metrics") if _text(value) else value
    )
    if not isinstance(found, dict):
        raise UsageError(f"{path}:{line}: metrics is {type(found).__name__}, not an object")
    return found


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _column(name: str) -> str:
    measured = name.endswith("duration") or name.startswith(MEASURES)
    return f"extra.{name}" if measured else f"score.{name}"


def _history(path: Path, held: dict[int, int], writer: Writer) -> None:
    """Numbers by step, those of training without `train/` before them; and what says that trajectories failed."""
    failed: dict[int, int] = {}
    for line, row in reading.json_lines(path, writer.torn):
        step = whole(row.get("training_step", row.get("step")), path, line, "step")
        numbers = {name: value for name, value in row.items() if name not in ("step", "training_step", "recorded_at")}
        values = {name: reading.number(value, path, line, name) for name, value in numbers.items()}
        writer.series(step, {name.removeprefix("train/"): value for name, value in values.items()})
        gathered = values.get(COUNT)
        if "train/reward" in values and gathered is not None and step in held and gathered > held[step]:
            failed[step] = int(gathered) - held[step]
    if failed:
        told = (
            f"trajectories that failed are not written: {sum(failed.values())}, of step {', '.join(map(str, failed))}"
        )
        writer.found("dropped-rows", told, path, rows=sum(failed.values()))


ADAPTER = Adapter(
    name="art",
    title="ART",
    layout="trajectories/train/NNNN.parquet, history.jsonl",
    versions="ART 0.5",
    tested="writer code",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=40,
    named=True,
)
