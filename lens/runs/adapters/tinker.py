"""Tinker cookbook: `iteration_*/{base}_rollout_summaries.jsonl`, a line a trajectory, and `metrics.jsonl`."""

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
from lens.runs.settings import Settings
from lens.runs.trl import given
from lens.runs.writer import Writer

NAMES = "*_rollout_summaries.jsonl"


def recognise(source: Source) -> str:
    found = _summaries(source)
    return f"{found[0].parent.name}/{found[0].name}" if found else ""


def files(source: Source) -> list[Path]:
    metrics = source.path / "metrics.jsonl"
    return [*_summaries(source), *([metrics] if metrics.is_file() else [])]


def read(source: Source, writer: Writer) -> None:
    """Two leaves, what the steps gave and what the group's grader gave at the end: they add to the total.

    The cookbook centres rewards by group and divides by nothing.
    """
    writer.trainer = "Tinker cookbook"
    gather = Gather(writer)
    evaluated = 0
    for path in _summaries(source):
        rows = [(line.number, line.value) for line in reading.json_lines(path, writer.torn)]
        trained = [one for one in rows if one[1].get("split", "train") == "train"]
        evaluated += len(rows) - len(trained)
        gather.rows(path, _rollouts(path, trained))
    if evaluated:
        writer.found("splits-left-out", "trajectories of other splits are not trained on", rows=evaluated)
    config, known = given(source.config, writer.leaves())
    writer.config = config
    writer.settings = (
        msgspec.structs.replace(known, algorithm="dr_grpo", scale="none", weights={"steps": 1.0, "final": 1.0})
        if writer.rows
        else Settings()
    )
    _metrics(source.path / "metrics.jsonl", writer)
    writer.lacks(
        "advantage",
        "summaries hold no advantages: the cookbook computes them from rewards less their group's mean",
        "record the next run with lens.runs.tap",
    )
    writer.lacks("prompt", "summaries hold no text", "the cookbook's logtree JSON does; name it with --map")
    writer.lacks("logp_old", "summaries hold no log-probabilities", "record the next run with lens.runs.tap")


def _summaries(source: Source) -> list[Path]:
    if source.path.is_file():
        return [source.path] if source.path.match(NAMES) else []
    return source.files(f"iteration_*/{NAMES}") or source.files(NAMES)


def _rollouts(path: Path, rows: list[tuple[int, dict[str, Any]]]) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in rows:
        steps = row.get("steps")
        if not isinstance(steps, list) or not all(isinstance(one, dict) for one in steps):
            raise UsageError(f"{path}:{line}: steps is no list of objects")
        rewards = [reading.number(one.get("reward"), path, line, "reward") for one in steps]
        metrics = reading.inner(row, "trajectory_metrics", path, line)
        yield (
            line,
            {
                "step": row.get("iteration"),
                "group": row.get("group_idx"),
                "reward": row.get("total_reward"),
                "score.steps": math.fsum(one for one in rewards if one is not None),
                "score.final": row.get("final_reward"),
                "tokens": sum(whole(one.get("ac_len", 0), path, line, "ac_len") for one in steps),
                "sampled_at": row.get("sampling_client_step"),
                **{f"extra.{name}": value for name, value in metrics.items()},
            },
        )


def _metrics(path: Path, writer: Writer) -> None:
    if not path.is_file():
        writer.lacks("series", "no metrics.jsonl beside the iterations", "give the log folder, which holds both")
        return
    for at, (line, row) in enumerate(reading.json_lines(path, writer.torn)):
        step = whole(row.get("step", at), path, line, "step")
        writer.series(
            step, {name: float(v) for name, v in row.items() if isinstance(v, (int, float)) and name != "step"}
        )


ADAPTER = Adapter(
    name="tinker",
    title="Tinker cookbook",
    layout="iteration_*/{base}_rollout_summaries.jsonl",
    versions="tinker-cookbook 0.6",
    tested="writer code",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
)
