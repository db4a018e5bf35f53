"""AReaL: `rollout/{version}/{task_id}.jsonl`, a file a prompt, a line a sample. Empty completions are not written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs import files as reading
from lens.runs.adapter import Adapter, Source
from lens.runs.gather import Gather, whole
from lens.runs.writer import Writer

NAMES = "rollout/*/*.jsonl"


def recognise(source: Source) -> str:
    found = _tasks(source)
    if not found:
        return ""
    try:
        first = next(reading.json_lines(found[0], lambda *_: None), None)
    except (UsageError, OSError):
        return ""
    known = first is not None and {"task_id", "seqlen", "prompt_len", "reward"} <= set(first.value)
    return f"rollout/{found[0].parent.name}/{found[0].name}" if known else ""


def files(source: Source) -> list[Path]:
    return _tasks(source)


def read(source: Source, writer: Writer) -> None:
    """The folder's number is the version of the policy that was being trained; tail and head say which ones sampled."""
    writer.trainer = "AReaL"
    gather = Gather(writer)
    sizes: Counter[int] = Counter()
    for path in _tasks(source):
        sizes[gather.rows(path, _rollouts(path, writer))] += 1
    if len(sizes) > 1:
        usual = max(sizes, key=lambda size: (sizes[size], size))
        short = sum(count * (usual - size) for size, count in sizes.items() if size < usual)
        writer.found(
            "short-groups",
            f"groups of {', '.join(map(str, sorted(sizes)))}: samples with an empty completion are not written",
            rows=short,
        )
    writer.lacks("advantage", "AReaL's rollout files hold no advantages", "record the next run with lens.runs.tap")
    writer.lacks(
        "logp_old", "AReaL's rollout files hold no log-probabilities", "record the next run with lens.runs.tap"
    )
    writer.lacks("series", "rollout files hold no metrics", "stats_logger.wandb or tensorboard; then give that export")


def _tasks(source: Source) -> list[Path]:
    return [one for one in source.files(NAMES) if one.parent.name.isdigit()] if source.path.is_dir() else []


def _rollouts(path: Path, writer: Writer) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in reading.json_lines(path, writer.torn):
        length, asked = (whole(row.get(name), path, line, name) for name in ("seqlen", "prompt_len"))
        yield (
            line,
            {
                "step": int(path.parent.name),
                "group": row.get("task_id"),
                "reward": row.get("reward"),
                "score.reward": row.get("reward"),
                "tokens": length - asked,
                "sampled_at": row.get("head_version"),
                "prompt_text": row.get("prompt"),
                "completion_text": row.get("completion"),
            },
        )


ADAPTER = Adapter(
    name="areal",
    title="AReaL",
    layout="rollout/{version}/{task_id}.jsonl",
    versions="AReaL 1.0",
    tested="documentation",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
    named=True,
)
