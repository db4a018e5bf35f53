"""prime-rl with verifiers: `rollouts/step_N/train/all/traces.jsonl`, the richest format, floats to four decimals.

An episode holds its group, the step and policy versions it was made for, and traces: rewards with their weights,
nodes with sampled tokens, masks, log-probabilities and advantages. `effective` repeats those of `all` that were trained
on. A number that isn't finite is dropped, inside lists too, so that a list shorter than its tokens has lost its places.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs import files as reading
from lens.runs.adapter import Adapter, Source
from lens.runs.gather import Gather, whole
from lens.runs.keys import key
from lens.runs.settings import Settings
from lens.runs.trl import given
from lens.runs.writer import Writer

ALL, EFFECTIVE = "train/all/traces.jsonl", "train/effective/traces.jsonl"
ROUNDED = 5e-5  # RECORD_FLOAT_DECIMALS = 4


class _Node(msgspec.Struct):
    sampled: bool | None = None
    token_ids: list[int] | None = None
    mask: list[bool | int] | None = None
    logprobs: list[Any] | None = None
    reference_logprobs: list[Any] | None = None
    advantages: list[Any] | None = None


class _Reward(msgspec.Struct):
    score: float | None = None
    weight: float = 1.0


class _Trace(msgspec.Struct):
    nodes: list[_Node] | None = None
    rewards: dict[str, _Reward | None] | None = None
    metrics: dict[str, Any] | None = None


class _Work(msgspec.Struct):
    step: int
    policy: dict[str, Any] | None = None


class _Run(msgspec.Struct):
    work: _Work


class _Episode(msgspec.Struct):
    """What of an episode is read, to hold a row against before it is."""

    traces: list[_Trace]
    run: _Run
    group: dict[str, Any] | None = None


def recognise(source: Source) -> str:
    found = _traces(source)
    return f"{found[0].parents[2].name}/{ALL}" if found else ""


def files(source: Source) -> list[Path]:
    extra = [_effective(path) for path in _traces(source)] + [source.path / "metrics.jsonl"]
    return [*_traces(source), *(one for one in extra if one.is_file())]


def read(source: Source, writer: Writer) -> None:
    """One rollout a trace; its total is what the weights make of its rewards."""
    writer.trainer = "prime-rl"
    gather = Gather(writer)
    weights: dict[str, set[float]] = {}
    lost = 0
    for path in _traces(source):
        kept = _ids(_effective(path), writer)
        for rows, short in _rollouts(path, kept, weights, writer):
            lost += short
            gather.rows(path, rows)
    if lost:
        told = "lists shorter than their tokens: numbers that weren't finite were dropped, and with them the places"
        writer.found("shifted-lists", told, rows=lost)
    config, known = given(source.config, writer.leaves())
    writer.config = config
    one = {name: next(iter(values)) for name, values in weights.items() if len(values) == 1}
    if len(one) < len(weights):
        mixed = ", ".join(sorted(set(weights) - set(one)))
        writer.found("weights-change", f"rewards whose weight changes during the run: {mixed}")
    settings = known if config else Settings()
    if writer.rows and len(one) == len(weights):
        settings = msgspec.structs.replace(settings, weights=one)
    writer.settings = msgspec.structs.replace(settings, rounded=ROUNDED)
    _metrics(source.path / "metrics.jsonl", writer)
    writer.lacks("grams", "prime-rl writes no gradient of a rollout", "lens measure run SUBJECT --model FOLDER")


def _traces(source: Source) -> list[Path]:
    if not source.path.is_dir():
        return []
    return source.files(f"rollouts/step_*/{ALL}") or source.files(f"step_*/{ALL}")


def _effective(path: Path) -> Path:
    return path.parents[1] / "effective" / path.name


def _ids(path: Path, writer: Writer) -> set[int] | None:
    """Keys of the traces that were trained on; None where nothing says."""
    if not path.is_file():
        return None
    return {key(*_name(row, at)) for _, row in _episodes(path, writer) for at in range(len(row["traces"]))}


def _episodes(path: Path, writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    """Raises UsageError naming file, line and the field that isn't an episode's."""
    for line, row in reading.json_lines(path, writer.torn):
        try:
            msgspec.convert(row, _Episode)
        except (msgspec.ValidationError, UnicodeEncodeError) as error:
            raise UsageError(f"{path}:{line}: no episode: {error}", remedy="name its columns with --map") from None
        yield line, row


def _name(row: dict[str, Any], at: int) -> tuple[Any, ...]:
    trace = row["traces"][at]
    return row.get("id") or (row.get("group") or {}).get("id"), trace.get("id", at), repr(trace.get("nodes"))


def _rollouts(
    path: Path, kept: set[int] | None, weights: dict[str, set[float]], writer: Writer
) -> Iterator[tuple[list[tuple[int, dict[str, Any]]], int]]:
    """An episode's rollouts at a time, and how many of them have lists that lost numbers."""
    for line, row in _episodes(path, writer):
        work = row["run"]["work"]
        rows, short = [], 0
        for at, trace in enumerate(row["traces"]):
            made, whole_lists = _trace(trace, path, line, weights)
            made["step"] = work.get("step")
            made["group"] = (row.get("group") or {}).get("id")
            made["sampled_at"] = (work.get("policy") or {}).get("start")
            if kept is not None:
                made["trained"] = key(*_name(row, at)) in kept
            short += not whole_lists
            rows.append((line, made))
        yield rows, short


def _trace(trace: dict[str, Any], path: Path, line: int, weights: dict[str, set[float]]) -> tuple[dict[str, Any], bool]:
    made: dict[str, Any] = {"failed": bool(trace.get("errors"))}
    total: list[float] = []
    for name, reward in (trace.get("rewards") or {}).items():
        score = None if reward is None else reading.number(reward.get("score"), path, line, name)
        weight = 1.0 if reward is None else float(reward.get("weight", 1.0))
        if reward is not None:
            weights.setdefault(name, set()).add(weight)
        made[f"score.{name}"] = score
        total += [] if score is None else [weight * score]
    made["reward"] = math.fsum(total) if total else None
    made |= {f"extra.{name}": value for name, value in (trace.get("metrics") or {}).items()}
    sampled = [node for node in trace.get("nodes") or () if node.get("sampled")]
    made["tokens"] = sum(len(node.get("token_ids") or ()) for node in sampled)
    made["prompt"] = key([node.get("token_ids") for node in trace.get("nodes") or () if not node.get("sampled")][:1])
    made["content"] = key([node.get("token_ids") for node in trace.get("nodes") or ()])
    complete = True
    for place, name in (("logp_old", "logprobs"), ("logp_ref", "reference_logprobs"), ("advantage", "advantages")):
        values, alike = _listed(sampled, name)
        complete &= alike
        if values is None or not alike:
            continue
        numbers = [reading.number(one, path, line, name) or 0.0 for one in values]
        if name == "advantages":
            if len(set(numbers)) == 1:
                made[place] = numbers[0]
        else:
            made[place] = math.fsum(numbers)
    return made, complete


def _listed(nodes: list[dict[str, Any]], name: str) -> tuple[list[Any] | None, bool]:
    """One number for each token that counts, over all nodes; None where a node has none. Whether none is lost."""
    found: list[Any] = []
    for node in nodes:
        values, ids = node.get(name), node.get("token_ids") or []
        if values is None:
            return None, True
        if len(values) != len(ids):
            return None, False
        mask = node.get("mask") or [True] * len(ids)
        found += [value for value, counts in zip(values, mask, strict=False) if counts]
    return (found, True) if found else (None, True)


def _metrics(path: Path, writer: Writer) -> None:
    if not path.is_file():
        writer.lacks("series", "no metrics.jsonl beside the rollouts", "give the output folder, which holds both")
        return
    for line, row in reading.json_lines(path, writer.torn):
        step = whole(row.get("step"), path, line, "step")
        writer.series(
            step, {name: float(v) for name, v in row.items() if isinstance(v, (int, float)) and name != "step"}
        )


ADAPTER = Adapter(
    name="prime-rl",
    title="prime-rl",
    layout="rollouts/step_N/train/all/traces.jsonl, metrics.jsonl",
    versions="prime-rl of August 2026, verifiers 0.4",
    tested="documentation",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
    named=True,
)
