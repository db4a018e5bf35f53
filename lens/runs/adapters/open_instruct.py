"""open-instruct's traces: `{run}_rollouts_{shard}.jsonl`, written with `--save_traces`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs import files as reading
from lens.runs.adapter import Adapter, Source
from lens.runs.gather import Gather
from lens.runs.keys import key
from lens.runs.settings import Settings
from lens.runs.writer import Writer

NAMES = "*_rollouts_*.jsonl"


def recognise(source: Source) -> str:
    found = _shards(source)
    if not found:
        return ""
    try:
        first = next(reading.json_lines(found[0], lambda *_: None), None)
    except (UsageError, OSError):
        return ""
    known = first is not None and {"prompt_idx", "reward", "advantage", "response_tokens"} <= set(first.value)
    return f"{found[0].name}: rows with prompt_idx, reward and advantage" if known else ""


def files(source: Source) -> list[Path]:
    return _shards(source)


def read(source: Source, writer: Writer) -> None:
    """Totals, advantages and summed log-probabilities; the parts of a reward are not written."""
    writer.trainer = "open-instruct"
    gather = Gather(writer)
    for path in _shards(source):
        gather.rows(path, _rollouts(path, writer))
    writer.settings = msgspec.structs.replace(Settings(), rounded=gather.unit)
    writer.lacks("series", "traces hold rollouts alone", "lens measure run on the run's wandb export")
    writer.lacks("grams", "open-instruct writes no gradient of a rollout", "lens measure run SUBJECT --model FOLDER")


def _shards(source: Source) -> list[Path]:
    return source.files(NAMES)


def _rollouts(path: Path, writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in reading.json_lines(path, writer.torn):
        asked, said = row.get("prompt_tokens") or [], row.get("response_tokens") or []
        if not isinstance(asked, list) or not isinstance(said, list):
            raise UsageError(f"{path}:{line}: tokens are no list", remedy="name its columns with --map")
        made = {
            "step": row.get("step"),
            "group": row.get("prompt_idx"),
            "reward": row.get("reward"),
            "score.reward": row.get("reward"),
            "advantage": row.get("advantage"),
            "tokens": len(said),
            "prompt": key(asked),
            "content": key(asked, said),
        }
        if "finish_reason" in row:
            made["truncated"] = row["finish_reason"] == "length"
        if isinstance(row.get("logprobs"), list):
            told = [reading.number(one, path, line, "logprobs") for one in row["logprobs"]]
            complete = len(told) == len(said) and None not in told
            made["logp_old"] = math.fsum(one for one in told if one is not None) if complete else None
        yield line, made


ADAPTER = Adapter(
    name="open-instruct",
    title="open-instruct",
    layout="{run}_rollouts_{shard}.jsonl",
    versions="open-instruct of August 2026",
    tested="documentation",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
)
