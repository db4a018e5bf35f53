"""The record format of the public reference run: JSON Lines by ranges of steps, scores as JSON inside a string."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs import files as reading
from lens.runs.adapter import Adapter, Source
from lens.runs.settings import Settings
from lens.runs.writer import Writer

_BATCH = 4096  # rollouts handed on at a time


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
    run = reading.json_file(home / "run.json")
    writer.config = _config(run)
    writer.trainer = f"TRL {writer.config.get('trl_version', '')}".strip()
    ranges = sorted(home.glob("steps/*/trajectories.jsonl"))
    writer.settings = _settings(writer.config, ranges[0].with_name("groups.jsonl"), writer)
    for path in ranges:
        texts = _texts(path.with_name("turns.jsonl"), writer)
        for batch in _batches(_rollouts(path, texts, writer)):
            writer.rollouts(path, {name: [row.get(name) for row in batch] for name in _names(batch)}, lines=None)
        _series(path.with_name("steps.jsonl"), writer)
    writer.lacks("grams", "the record holds no gradients", "lens measure run RUN --model FOLDER computes them again")
    writer.lacks("logp", "no log-probabilities were recorded", "record with the tap, log-probabilities on")


def _home(source: Source) -> Path | None:
    found = [source.path, *sorted(source.path.glob("runs/*")), *sorted(source.path.glob("*"))]
    return next(
        (one for one in found if (one / "run.json").is_file() and any(one.glob("steps/*/trajectories.jsonl"))), None
    )


def _config(run: dict[str, Any]) -> dict[str, Any]:
    extra = (run.get("lineage") or {}).get("extra") or {}
    return dict(extra.get("config") or {})


def _settings(config: dict[str, Any], groups: Path, writer: Writer) -> Settings:
    from lens.runs.trl import settings

    first = next(reading.json_lines(groups, writer.torn), None)
    estimator = _payload(first.value, groups, first.number)["estimator"] if first else {}
    return msgspec.structs.replace(
        settings(config),
        ddof=estimator.get("std_ddof"),
        epsilon=estimator.get("std_epsilon"),
    )


def _payload(row: dict[str, Any], path: Path, line: int) -> dict[str, Any]:
    try:
        decoded: dict[str, Any] = msgspec.json.decode(row["payload"])
    except (KeyError, TypeError, msgspec.DecodeError) as error:
        raise UsageError(f"{path}:{line}: its payload is not JSON: {error}") from None
    return decoded


def _texts(path: Path, writer: Writer) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for line in reading.json_lines(path, writer.torn):
        role = "prompt_text" if line.value["role"] == "user" else "completion_text"
        found.setdefault(line.value["trajectory_id"], {})[role] = line.value["text"]
    return found


def _rollouts(path: Path, texts: dict[str, dict[str, str]], writer: Writer) -> Iterator[dict[str, Any]]:
    for line in reading.json_lines(path, writer.torn):
        row = line.value
        payload = _payload(row, path, line.number)
        leaves = _leaves(payload.get("scores") or {})
        reward = (payload.get("features") or {}).get("trl_realised_reward")
        yield {
            "step": row["step_index"],
            "group": row["group_id"],
            "advantage": row["advantage"],
            "reward": reward,
            **texts.get(row["trajectory_id"], {}),
            **{f"score.{name}": value for name, value in leaves.items()},
        }


def _leaves(node: dict[str, Any]) -> dict[str, float | None]:
    """Leaves of a score tree, by name; None where the leaf abstained."""
    fields = node.get("fields") or {}
    if str(node.get("__type__", "")).endswith(".Leaf"):
        return {fields["name"]: None if fields.get("abstained") else fields.get("value")}
    parts = [one for value in fields.values() for one in (value if isinstance(value, list) else [value])]
    return {name: value for part in parts if isinstance(part, dict) for name, value in _leaves(part).items()}


def _names(batch: list[dict[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for row in batch for name in row))


def _batches(rows: Iterator[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    batch: list[dict[str, Any]] = []
    for row in rows:
        batch.append(row)
        if len(batch) >= _BATCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _series(path: Path, writer: Writer) -> None:
    for line in reading.json_lines(path, writer.torn):
        optimizer = _payload(line.value, path, line.number).get("optimizer") or {}
        logged = {"grad_norm": line.value.get("grad_norm_clipped"), "entropy": optimizer.get("entropy")}
        logged |= {
            name: value for name, value in (optimizer.get("extra") or {}).items() if isinstance(value, (int, float))
        }
        writer.series(line.value["step_index"], logged)
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
