"""AReaL: `rollout/{version}/{task_id}.jsonl`, a file a prompt, a line a sample, written with `dump_to_file=true`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats.rows import first_row
from lens.runs.gather import Gather
from lens.runs.writer import Writer

NAMES = "rollout/*/*.jsonl"


class Sample(msgspec.Struct):
    task_id: int | str
    seqlen: int
    prompt_len: int
    reward: float | None
    sample_idx: int = 0
    head_version: int | None = None
    prompt: str | None = None
    completion: str | None = None


def recognise(source: Source) -> str:
    found = _tasks(source)
    if not found:
        return ""
    known = {"task_id", "seqlen", "prompt_len", "reward"} <= set(first_row(found[0]))
    return f"rollout/{found[0].parent.name}/{found[0].name}" if known else ""


def files(source: Source) -> list[Path]:
    return _tasks(source)


def read(source: Source, writer: Writer) -> None:
    """Groups are tasks. A folder's number, the newest version that sampled, stands for the step."""
    writer.trainer = "AReaL"
    gather = Gather(writer)
    reader = _Reader(writer)
    for path in _tasks(source):
        gather.rows(path, reader.rollouts(path))
    reader.end()
    if writer.rows:
        writer.found(
            "step-is-version",
            "steps are the newest version of the policy that sampled a rollout: neither the update that trained on it "
            "nor whether should_accept_fn refused it was written",
            rows=writer.rows,
        )
    tap = "record the next run with lens.runs.tap"
    writer.lacks("advantage", "AReaL's rollout files hold no advantages", tap)
    writer.lacks("logp_old", "AReaL's rollout files hold no log-probabilities", tap)
    writer.lacks(
        "series",
        "rollout files hold no metrics",
        "stats_logger.tensorboard.path=DIR or stats_logger.wandb.mode=offline; then lens measure run that folder",
    )
    writer.lacks("grams", "AReaL writes no gradient of a rollout", "lens measure run SUBJECT --model FOLDER")


class _Reader:
    """Rows in the record's names; how many each task has, and how many its numbers say it had."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.sizes: Counter[tuple[int, int]] = Counter()  # tasks, by rows and by the samples numbered so far
        self.again = 0

    def rollouts(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        times, last, rows, most = 0, -1, 0, 0
        for line, row in reading.json_lines(path, self.writer.torn):
            one = reading.shaped(row, Sample, path, line, "sample")
            if one.sample_idx <= last:
                times += 1  # the file was opened again, for a task of the same number
                self.sizes[rows, most] += 1
                rows = most = 0
            last, rows, most = one.sample_idx, rows + 1, max(most, one.sample_idx + 1)
            yield line, self._made(one, path, times)
        self.sizes[rows, most] += 1
        self.again += bool(times)

    def end(self) -> None:
        """Tell of groups that are short of what most tasks have, and of files written twice."""
        most = max((numbered for _, numbered in self.sizes), default=0)
        missing = sum(tasks * (most - rows) for (rows, _), tasks in self.sizes.items())
        if missing:
            found = ", ".join(map(str, sorted({rows for rows, _ in self.sizes})))
            told = f"groups of {found} where {most} were sampled: a sample with an empty completion is not written"
            self.writer.found("short-groups", told, rows=missing)
        if self.again:
            told = f"{self.again} files hold a task twice, as after a restart: each time is a group of its own"
            self.writer.found("repeated-task", told)

    def _made(self, one: Sample, path: Path, times: int) -> dict[str, Any]:
        return {
            "step": int(path.parent.name),
            "group": f"{one.task_id} {times}",
            "reward": one.reward,
            "score.reward": one.reward,
            "tokens": one.seqlen - one.prompt_len,
            "sampled_at": one.head_version,
            "prompt_text": one.prompt,
            "completion_text": one.completion,
        }


def _tasks(source: Source) -> list[Path]:
    return [one for one in source.files(NAMES) if one.parent.name.isdigit()] if source.path.is_dir() else []


ADAPTER = Adapter(
    name="areal",
    title="AReaL",
    layout="rollout/{version}/{task_id}.jsonl",
    versions="AReaL 1.0",
    tested="writer code",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
    named=True,
)
