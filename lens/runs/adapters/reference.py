"""The record format of the public reference run: JSON Lines by ranges of steps, scores as JSON inside a string."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.gather import Gather, text, whole
from lens.runs.settings import Settings
from lens.runs.writer import Writer


def recognise(source: Source) -> str:
    home = _home(source)
    return f"{home.name}: run.json with steps/*/trajectories.jsonl beside it" if home else ""


def files(source: Source) -> list[Path]:
    home = _home(source)
    if home is None:
        return []
    return [home / "run.json", *sorted(home.glob("steps/*/*.jsonl"))]


def read(source: Source, writer: Writer) -> None:
    """Rollouts from trajectories and turns, series from steps, settings from the trainer's configuration in run.json.

    `grad_norm_clipped` is Hugging Face's `grad_norm`, which is taken before clipping, whatever the column says; it
    goes by that name here and a finding says so.
    """
    home = _home(source)
    assert home is not None
    writer.config = _config(reading.json_file(home / "run.json"), home / "run.json")
    writer.trainer = f"TRL {writer.config.get('trl_version', '')}".strip()
    ranges = sorted(home.glob("steps/*/trajectories.jsonl"))
    writer.settings = _settings(writer.config, ranges[0].with_name("groups.jsonl"), writer)
    gather = Gather(writer)
    for path in ranges:
        texts = _texts(path.with_name("turns.jsonl"), writer)
        gather.rows(path, _rollouts(path, texts, writer))
        _series(path.with_name("steps.jsonl"), writer)
    writer.lacks("grams", "the record holds no gradients", "lens measure run SUBJECT --model FOLDER")
    writer.lacks("logp", "no log-probabilities were recorded", "record with the tap, log-probabilities on")


def _home(source: Source) -> Path | None:
    found = [source.path, *sorted(source.path.glob("runs/*")), *sorted(source.path.glob("*"))]
    return next(
        (one for one in found if (one / "run.json").is_file() and any(one.glob("steps/*/trajectories.jsonl"))), None
    )


def _config(run: Any, path: Path) -> dict[str, Any]:
    if not isinstance(run, dict):
        raise UsageError(f"{path}: a run is a JSON object, this is {type(run).__name__}")
    lineage = reading.inner(run, "lineage", path, 1)
    return dict(reading.inner(reading.inner(lineage, "extra", path, 1), "config", path, 1))


def _settings(config: dict[str, Any], groups: Path, writer: Writer) -> Settings:
    from lens.runs.formats.trl import settings

    first = next(reading.json_lines(groups, writer.torn), None)
    estimator = reading.inner(_payload(first.value, groups, first.number), "estimator", groups, 1) if first else {}
    return msgspec.structs.replace(
        settings(config),
        ddof=estimator.get("std_ddof"),
        epsilon=estimator.get("std_epsilon"),
    )


def _payload(row: dict[str, Any], path: Path, line: int) -> dict[str, Any]:
    payload = reading.need(row, "payload", path, line)
    try:
        decoded = msgspec.json.decode(payload)
    except (TypeError, ValueError) as error:
        raise UsageError(f"{path}:{line}: its payload is not JSON: {error}") from None
    if not isinstance(decoded, dict):
        raise UsageError(f"{path}:{line}: its payload is {type(decoded).__name__}, not an object")
    return decoded


def _texts(path: Path, writer: Writer) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line, row in reading.json_lines(path, writer.torn):
        said = reading.need(row, "text", path, line)
        role = "prompt_text" if reading.need(row, "role", path, line) == "user" else "completion_text"
        found.setdefault(_id(row, path, line), {})[role] = text(said)
    return found


def _id(row: dict[str, Any], path: Path, line: int) -> str:
    return str(reading.need(row, "trajectory_id", path, line))


def _rollouts(path: Path, texts: dict[str, dict[str, str]], writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in reading.json_lines(path, writer.torn):
        payload = _payload(row, path, line)
        leaves = _leaves(reading.inner(payload, "scores", path, line), path, line)
        yield (
            line,
            {
                "step": reading.need(row, "step_index", path, line),
                "group": reading.need(row, "group_id", path, line),
                "advantage": reading.need(row, "advantage", path, line),
                "reward": reading.inner(payload, "features", path, line).get("trl_realised_reward"),
                **texts.get(_id(row, path, line), {}),
                **{f"score.{name}": value for name, value in leaves.items()},
            },
        )


def _leaves(node: dict[str, Any], path: Path, line: int) -> dict[str, Any]:
    """Leaves of a score tree, by name; None where the leaf abstained."""
    fields = reading.inner(node, "fields", path, line)
    if str(node.get("__type__", "")).endswith(".Leaf"):
        name = reading.need(fields, "name", path, line)
        return {str(name): None if fields.get("abstained") else fields.get("value")}
    parts = [one for value in fields.values() for one in (value if isinstance(value, list) else [value])]
    return {
        name: value for part in parts if isinstance(part, dict) for name, value in _leaves(part, path, line).items()
    }


def _series(path: Path, writer: Writer) -> None:
    for line, row in reading.json_lines(path, writer.torn):
        optimizer = reading.inner(_payload(row, path, line), "optimizer", path, line)
        step = whole(reading.need(row, "step_index", path, line), path, line, "step_index")
        logged = {"grad_norm": row.get("grad_norm_clipped"), "entropy": optimizer.get("entropy")}
        logged = {name: reading.number(value, path, line, name) for name, value in logged.items()}
        extra = reading.inner(optimizer, "extra", path, line)
        logged |= {name: float(value) for name, value in extra.items() if isinstance(value, (int, float))}
        writer.series(step, logged)
    writer.found(
        "mislabelled-series",
        "grad_norm_clipped holds Hugging Face's grad_norm, which is taken before clipping",
        path,
    )


ADAPTER = Adapter(
    name="reference",
    title="Public reference record",
    layout="runs/*/run.json and steps/*/trajectories.jsonl",
    versions="schema 1",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=10,
)
