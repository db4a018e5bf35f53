"""Tinker cookbook: `iteration_*/{base}_rollout_summaries.jsonl`, a line a trajectory, and `metrics.jsonl`."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.gather import Gather, whole
from lens.runs.settings import Settings
from lens.runs.writer import Writer

NAMES = "*_rollout_summaries.jsonl"


class Step(msgspec.Struct):
    reward: float | None = None
    ac_len: int = 0
    metrics: dict[str, float | int | bool | None] = {}


class Summary(msgspec.Struct):
    iteration: int
    group_idx: int
    total_reward: float | None
    steps: list[Step]
    final_reward: float | None = None
    split: str = "train"
    sampling_client_step: int | None = None
    trajectory_metrics: dict[str, Any] = {}


class Config(msgspec.Struct):
    """What of the cookbook's `Config` decides how rewards became an update."""

    learning_rate: float | None = None
    kl_penalty_coef: float | None = None
    loss_fn: str | None = None
    max_steps: int | None = None
    remove_constant_reward_groups: bool = False
    async_config: dict[str, Any] | None = None


def recognise(source: Source) -> str:
    found = _summaries(source)
    return f"{found[0].parent.name}/{found[0].name}" if found else ""


def files(source: Source) -> list[Path]:
    beside = [_log(source) / name for name in ("config.json", "metrics.jsonl")]
    return [*_summaries(source), *(one for one in beside if one.is_file())]


def read(source: Source, writer: Writer) -> None:
    """Two leaves, what the steps gave and what the group's grader gave at the end: they add to the total.

    The cookbook takes off the group's mean and divides by nothing (`rl/data_processing.py`, `compute_advantages`).
    """
    writer.trainer = "Tinker cookbook"
    gather = Gather(writer)
    elsewhere: Counter[str] = Counter()
    for path in _summaries(source):
        gather.rows(path, _rollouts(path, elsewhere, writer))
    for split, rows in elsewhere.items():
        writer.found("splits-left-out", f"trajectories of {split} are not trained on", rows=rows)
    given = source.config or _log(source) / "config.json"
    config = _config(given, writer)
    if writer.rows:
        writer.settings = Settings(
            algorithm="dr_grpo",
            scale="none",
            weights={"steps": 1.0, "final": 1.0},
            beta=config.kl_penalty_coef,
            learning_rate=config.learning_rate,
            loss=(config.async_config or {}).get("loss_fn", config.loss_fn),
            steps=config.max_steps,
        )
    if config.remove_constant_reward_groups:
        told = "remove_constant_reward_groups was on: groups of one reward were left out before they were written"
        writer.found("dropped-groups", told)
    _metrics(_log(source) / "metrics.jsonl", writer)
    _lacks(writer)


def _lacks(writer: Writer) -> None:
    tap = "record the next run with lens.runs.tap"
    told = "summaries hold no advantages: the cookbook computes them from rewards less their group's mean"
    writer.lacks("advantage", told, tap)
    told = "summaries hold no text; with num_groups_to_log above 0 its logtree HTML shows some"
    writer.lacks("prompt", told, tap)
    writer.lacks("texts", told, tap)
    writer.lacks("logp_old", "summaries hold no log-probabilities", tap)
    writer.lacks("grams", "gradients stay with the service", "lens measure run SUBJECT --model FOLDER")


def _summaries(source: Source) -> list[Path]:
    if source.path.is_file():
        return [source.path] if source.path.match(NAMES) else []
    return source.files(f"iteration_*/{NAMES}") or source.files(NAMES)


def _log(source: Source) -> Path:
    """The log folder: the one given, or the one around an iteration's."""
    folder = source.path if source.path.is_dir() else source.path.parent
    return folder.parent if folder.name.startswith("iteration_") else folder


def _rollouts(path: Path, elsewhere: Counter[str], writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in reading.json_lines(path, writer.torn):
        one = reading.shaped(row, Summary, path, line, "rollout summary")
        if one.split != "train":
            elsewhere[one.split] += 1
            continue
        rewards = [step.reward for step in one.steps if step.reward is not None]
        yield (
            line,
            {
                "step": one.iteration,
                "group": one.group_idx,
                "reward": one.total_reward,
                "score.steps": math.fsum(rewards),
                "score.final": one.final_reward,
                "tokens": sum(step.ac_len for step in one.steps),
                "sampled_at": one.sampling_client_step,
                "extra.turns": len(one.steps),
                **_meaned(one.steps),
                **{f"extra.{name}": value for name, value in one.trajectory_metrics.items() if not _other(value)},
            },
        )


def _meaned(steps: list[Step]) -> dict[str, float]:
    """Each metric of the steps, as its mean over those that have it."""
    found: dict[str, list[float]] = defaultdict(list)
    for step in steps:
        for name, value in step.metrics.items():
            if value is not None:
                found[f"extra.{name}"].append(value)
    return {name: math.fsum(values) / len(values) for name, values in found.items()}


def _other(value: Any) -> bool:
    return value is not None and not isinstance(value, (int, float))


def _config(path: Path, writer: Writer) -> Config:
    if not path.is_file():
        return Config()
    held = reading.json_file(path)
    try:
        config = msgspec.convert(held, Config)
    except (msgspec.ValidationError, UnicodeEncodeError) as error:
        raise UsageError(f"{path}: no configuration of the cookbook: {error}", remedy="give --config FILE") from None
    writer.config = held
    return config


def _metrics(path: Path, writer: Writer) -> None:
    if not path.is_file():
        writer.lacks("series", "no metrics.jsonl beside the iterations", "give the log folder, which holds both")
        return
    for at, (line, row) in enumerate(reading.json_lines(path, writer.torn)):
        step = whole(row.get("step", at), path, line, "step")
        logged = {name: value for name, value in row.items() if isinstance(value, (int, float)) and name != "step"}
        writer.series(step, {name: reading.number(value, path, line, name) for name, value in logged.items()})


ADAPTER = Adapter(
    name="tinker",
    title="Tinker cookbook",
    layout="iteration_*/{base}_rollout_summaries.jsonl",
    versions="tinker-cookbook 0.6",
    tested="writer code",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
)
