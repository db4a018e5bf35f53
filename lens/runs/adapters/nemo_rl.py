"""NeMo-RL: `train_data_step{N}.jsonl`, a row a rollout in which every value is a list of one.

Files before PR #1447 are numbered one step early: where the logged rewards lie beside them, the numbers are checked by
the mean of each file's rewards. Rows name no group: prompts are told apart by the tokens before the first one trained
on, in files that have them, and by `grpo.num_generations_per_prompt` of the configuration elsewhere.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats.rows import kind_of, rows
from lens.runs.gather import Gather, whole
from lens.runs.keys import key
from lens.runs.settings import Settings
from lens.runs.writer import Writer

NAMED = re.compile(r"train_data_step(\d+)\.jsonl")
STEPS, REWARDS = ("step", "_step", "train/step"), ("train/reward", "reward")
OFFSETS = (0, 1, -1)  # of the metrics' step from the file's
CLOSE = 1e-5  # between a mean of float32 rewards and the mean that was logged
Metrics = dict[int, dict[str, float]]


def recognise(source: Source) -> str:
    found = _paths(source)
    return f"{found[0].name}, a list of one for every value" if found else ""


def files(source: Source) -> list[Path]:
    return [*_paths(source), *_logs(source)]


def read(source: Source, writer: Writer) -> None:
    """Rollouts of every file at the step its rewards were logged at, and the numbers logged."""
    config = _config(source)
    writer.config, size = config, _size(config)
    metrics = _metrics(source, writer)
    offset = _offset(_means(_paths(source)), metrics, writer)
    gather = Gather(writer)
    for path in _paths(source):
        gather.rows(path, _rollouts(path, _number(path) + (offset or 0), size, writer))
    if offset is not None:
        for step, values in metrics.items():
            writer.series(step, values)
    writer.trainer = "NeMo-RL"
    writer.settings = _settings(config, size)
    newer = "a newer NeMo-RL writes advantages and token_loss_mask into these files"
    if not writer.has("advantage"):
        writer.lacks("advantage", "these files hold rewards and no advantages", newer)
    if not writer.has("logp"):
        writer.lacks("logp", "log-probabilities can't be summed without token_loss_mask", newer)
        writer.lacks("logp_old", "log-probabilities can't be summed without token_loss_mask", newer)
    if not metrics:
        writer.lacks("series", "no logged numbers lie beside the files", "export them there: a JSONL of scan_history()")


def _paths(source: Source) -> list[Path]:
    found = [source.path] if source.path.is_file() else source.files("*.jsonl")
    return [path for path in found if NAMED.fullmatch(path.name)]


def _logs(source: Source) -> list[Path]:
    """Files of logged numbers beside the rollouts."""
    if source.path.is_file():
        return []
    return [
        path
        for path in source.files("*")
        if kind_of(path) in ("jsonl", "csv") and not path.name.startswith("train_data_")
    ]


def _number(path: Path) -> int:
    found = NAMED.fullmatch(path.name)
    return int(found[1]) if found else 0


def _config(source: Source) -> dict[str, Any]:
    if source.config is None:
        return {}
    config = reading.json_file(source.config)
    if not isinstance(config, dict):
        raise UsageError(f"{source.config}: a configuration is a JSON object")
    return config


def _size(config: dict[str, Any]) -> int | None:
    size = _part(config, "grpo").get("num_generations_per_prompt")
    return size if isinstance(size, int) and size > 0 else None


def _part(config: dict[str, Any], name: str) -> dict[str, Any]:
    part = config.get(name)
    return part if isinstance(part, dict) else {}


def _settings(config: dict[str, Any], size: int | None) -> Settings:
    """What NeMo-RL's `grpo` and `loss_fn` sections say; nothing without them."""
    grpo, loss = _part(config, "grpo"), _part(config, "loss_fn")
    if not grpo:
        return Settings(group_size=size)
    normalised = grpo.get("normalize_rewards")
    return Settings(
        algorithm="rloo" if grpo.get("use_leave_one_out_baseline") and not normalised else "grpo",
        scale=None if normalised is None else "group" if normalised else "none",
        group_size=size,
        beta=loss.get("reference_policy_kl_penalty"),
        clip_low=loss.get("ratio_clip_min"),
        clip_high=loss.get("ratio_clip_max"),
        max_grad_norm=_part(config, "policy").get("max_grad_norm"),
        steps=grpo.get("max_num_steps"),
    )


def _metrics(source: Source, writer: Writer) -> Metrics:
    found: Metrics = {}
    for path in _logs(source):
        for line, row in rows(path, kind_of(path), writer.torn):
            step = next((row[name] for name in STEPS if row.get(name) is not None), None)
            if step is None:
                continue
            at = whole(_cell(step), path, line, "step")
            for name, cell in row.items():
                value = _cell(cell)
                if name not in STEPS and isinstance(value, (int, float)):
                    found.setdefault(at, {})[name.removeprefix("train/")] = float(value)
    return found


def _cell(value: Any) -> Any:
    """A number that a CSV holds as text; anything else as it is."""
    if not isinstance(value, str):
        return value
    try:
        return float(value)
    except ValueError:
        return value


def _means(paths: list[Path]) -> dict[int, float]:
    found: dict[int, float] = {}
    for path in paths:
        rewards = [
            _one(row, "rewards", path, line)
            for line, row in reading.json_lines(path, lambda *_: None)
            if "rewards" in row
        ]
        numbers = [reading.number(one, path, 0, "rewards") for one in rewards]
        if numbers and all(one is not None and math.isfinite(one) for one in numbers):
            found[_number(path)] = math.fsum(one for one in numbers if one is not None) / len(numbers)
    return found


def _offset(means: dict[int, float], metrics: Metrics, writer: Writer) -> int | None:
    """How far the logged steps lie from the files' numbers, by rewards; None, and told, where that can't be known."""
    logged = {step: values["reward"] for step, values in metrics.items() if "reward" in values}
    if not logged:
        return None if metrics else 0
    fits = [offset for offset in OFFSETS if _fits(means, logged, offset)]
    if fits == [1]:
        told = "files are numbered one step before the numbers logged, by their mean rewards: moved by 1"
        writer.found("step-off-by-one", told)
    if len(fits) == 1:
        return fits[0]
    why = "more than one shift of the steps fits" if fits else "no shift of the steps fits"
    told = f"{why} the mean rewards of files and the rewards logged, so numbers logged are left out"
    writer.found("steps-unmatched", told)
    writer.lacks("series", told, "give the folder of one run alone, with its own logs")
    return None


def _fits(means: dict[int, float], logged: dict[int, float], offset: int) -> bool:
    both = [(mean, logged[step + offset]) for step, mean in means.items() if step + offset in logged]
    near = all(abs(mean - value) <= CLOSE * max(1.0, abs(mean)) for mean, value in both)
    return bool(both) and near and len(both) >= min(len(means), len(logged)) - abs(offset)


def _rollouts(path: Path, step: int, size: int | None, writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    group, before = -1, None
    for at, (line, row) in enumerate(reading.json_lines(path, writer.torn)):
        mask = _list(row, "token_loss_mask", path, line)
        prompt = _prompt(row, mask, path, line)
        if size is not None:
            group = at // size
        elif prompt is None:
            raise UsageError(
                f"{path}:{line}: nothing says which rollouts share a prompt",
                remedy="give the configuration with --config FILE: grpo.num_generations_per_prompt as JSON",
            )
        elif prompt != before:
            group, before = group + 1, prompt
        reward = reading.number(_one(row, "rewards", path, line), path, line, "rewards")
        made = {"step": step, "group": group, "reward": reward, "score.reward": reward}
        made |= _of_tokens(row, mask, path, line)
        if prompt is not None:
            made["prompt"] = key(*prompt)
        if "content" in row:
            made["completion_text"] = _one(row, "content", path, line)
        yield line, made


def _of_tokens(row: dict[str, Any], mask: list[Any] | None, path: Path, line: int) -> dict[str, Any]:
    """What a list a token says of a rollout: its length, sums of log-probabilities, its one advantage."""
    if mask is None:
        return {}
    said = [at for at, one in enumerate(mask) if one]
    made: dict[str, Any] = {"tokens": len(said)}
    for name, column in (("prev_logprobs", "logp"), ("generation_logprobs", "logp_old")):
        if (values := _list(row, name, path, line)) is not None:
            made[column] = math.fsum(_at(values, at, path, line, name) for at in said)
    if (values := _list(row, "advantages", path, line)) is not None:
        each = {_at(values, at, path, line, "advantages") for at in said}
        if len(each) > 1:
            raise UsageError(
                f"{path}:{line}: advantages differ between tokens", remedy="name another column with --map"
            )
        made["advantage"] = next(iter(each), None)
    if (kept := row.get("sample_loss_mask")) is not None:
        made["trained"] = bool(_one({"kept": kept}, "kept", path, line))
    return made


def _at(values: list[Any], at: int, path: Path, line: int, name: str) -> float:
    value = reading.number(values[at], path, line, name) if at < len(values) else None
    if value is None:
        raise UsageError(f"{path}:{line}: {name} has no value for a token that token_loss_mask has")
    return value


def _prompt(row: dict[str, Any], mask: list[Any] | None, path: Path, line: int) -> tuple[Any, ...] | None:
    tokens = _list(row, "token_ids", path, line)
    if tokens is None or mask is None:
        return None
    first = next((at for at, one in enumerate(mask) if one), len(tokens))
    return tuple(map(str, tokens[:first]))


def _one(row: dict[str, Any], name: str, path: Path, line: int) -> Any:
    """The value of a list of one; the value itself, where a version wrote it so."""
    value = row.get(name)
    if not isinstance(value, list):
        return value
    if len(value) != 1:
        raise UsageError(f"{path}:{line}: {name} is a list of {len(value)}, and a row is one rollout")
    return value[0]


def _list(row: dict[str, Any], name: str, path: Path, line: int) -> list[Any] | None:
    value = _one(row, name, path, line) if name in row else None
    if value is not None and not isinstance(value, list):
        raise UsageError(f"{path}:{line}: {name} is {type(value).__name__}, not a list with a value a token")
    return value


ADAPTER = Adapter(
    name="nemo_rl",
    title="NeMo-RL",
    layout="train_data_stepN.jsonl",
    versions="NeMo-RL before and after PR #1447",
    tested="writer code",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=40,
    named=True,
)
