"""SkyRL: evaluations it dumps as JSON Lines. Its training batches are pickles, which run what is in them: refused."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.gather import Gather
from lens.runs.writer import Writer

EVALUATION = re.compile(r"global_step_(\d+)_evals|eval_only")
TOTALS = "aggregated_results.jsonl"
REMEDY = "score saved checkpoints with trainer.dump_eval_results=true, or record the next run with lens.runs.tap"


def recognise(source: Source) -> str:
    dumps, pickles = _dumps(source), _pickles(source)
    if dumps:
        return f"{dumps[0].parent.name}/{dumps[0].name}, as dump_eval_results writes them"
    return f"dumped_data/{pickles[0].name}, as dump_data_batch writes them" if pickles else ""


def files(source: Source) -> list[Path]:
    """The evaluations. Raises UsageError where there are only pickles."""
    dumps, pickles = _dumps(source), _pickles(source)
    if not dumps and pickles:
        raise UsageError(
            f"{pickles[0]}: a pickle runs whatever code is in it, so it isn't opened",
            remedy=REMEDY,
        )
    return dumps


def read(source: Source, writer: Writer) -> None:
    """Rollouts of every evaluation, grouped by data source and prompt; totals as numbers of its step."""
    gather, reader = Gather(writer), _Reader()
    for path in files(source):
        if path.name == TOTALS:
            for line, row in reading.json_lines(path, writer.torn):
                writer.series(_step(path), {name: reading.number(row[name], path, line, name) for name in row})
        else:
            gather.rows(path, reader.rollouts(path, writer))
    writer.trainer = "SkyRL"
    if reader.summed:
        told = "a score was a list, a number a token: the rollout's is their sum, as SkyRL takes it"
        writer.found("score-summed", told, rows=reader.summed)
    if pickles := _pickles(source):
        writer.found("pickle-refused", f"{len(pickles)} training batches are pickles and were not opened", pickles[0])
    writer.lacks("advantage", "SkyRL writes advantages into pickles alone, which run code and are not opened", REMEDY)
    writer.lacks("logp_old", "evaluations carry no log-probabilities", REMEDY)


class _Reader:
    def __init__(self) -> None:
        self.summed = 0

    def rollouts(self, path: Path, writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
        for line, row in reading.json_lines(path, writer.torn):
            for name in ("input_prompt", "score"):
                if name not in row:
                    raise UsageError(f"{path}:{line}: no {name}", remedy="is it SkyRL's? name its columns with --map")
            score = self._total(row["score"], path, line)
            reason = row.get("stop_reason")
            yield (
                line,
                {
                    "step": _step(path),
                    "group": f"{row.get('data_source')}\0{row['input_prompt']}",
                    "prompt_text": row["input_prompt"],
                    "completion_text": row.get("output_response"),
                    "reward": score,
                    "score.score": score,
                    "truncated": None if reason is None else reason == "length",
                },
            )

    def _total(self, score: Any, path: Path, line: int) -> float | None:
        if not isinstance(score, list):
            return reading.number(score, path, line, "score")
        self.summed += 1
        parts = [reading.number(one, path, line, "score") for one in score]
        return math.fsum(0.0 if one is None else one for one in parts) if all(map(_finite, parts)) else math.nan


def _finite(value: float | None) -> bool:
    return value is not None and math.isfinite(value)


def _step(path: Path) -> int:
    """The evaluation's step; one made outside training counts as step 0."""
    found = EVALUATION.fullmatch(path.parent.name)
    return int(found[1] or 0) if found else 0


def _dumps(source: Source) -> list[Path]:
    if source.path.is_file():
        return [source.path] if source.path.suffix == ".jsonl" and EVALUATION.fullmatch(source.path.parent.name) else []
    patterns = ("*.jsonl", "*/*.jsonl", "dumped_evals/*/*.jsonl", "*/dumped_evals/*/*.jsonl")
    found = [path for pattern in patterns for path in source.files(pattern)]
    return [path for path in found if EVALUATION.fullmatch(path.parent.resolve().name)]


def _pickles(source: Source) -> list[Path]:
    if source.path.is_file():
        return [source.path] if source.path.suffix == ".pkl" else []
    found = [
        path for pattern in ("*.pkl", "dumped_data/*.pkl", "*/dumped_data/*.pkl") for path in source.files(pattern)
    ]
    return [path for path in found if path.parent.resolve().name == "dumped_data"]


ADAPTER = Adapter(
    name="skyrl",
    title="SkyRL",
    layout="dumped_evals/*/*.jsonl",
    versions="SkyRL 0.3",
    tested="writer code",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=40,
    named=True,
)
