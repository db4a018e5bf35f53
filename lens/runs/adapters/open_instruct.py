"""open-instruct's traces: `{run}_rollouts_{shard}.jsonl`, written with `--save_traces --rollouts_save_path DIR`."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats.rows import first_row
from lens.runs.gather import Gather
from lens.runs.keys import key
from lens.runs.settings import Settings
from lens.runs.writer import Writer

NAMES = "*_rollouts_*.jsonl"
OPEN = 8  # steps that may still be written to: two threads write, in no order


class Record(msgspec.Struct):
    step: int
    sample_idx: int
    prompt_idx: int
    prompt_tokens: list[int]
    response_tokens: list[int]
    reward: float | None
    advantage: float | None
    finish_reason: str = ""
    logprobs: list[float | None] | None = None


def recognise(source: Source) -> str:
    found = _shards(source)
    if not found:
        return ""
    known = {"prompt_idx", "reward", "advantage", "response_tokens"} <= set(first_row(found[0]))
    return f"{found[0].name}: rows with prompt_idx, reward and advantage" if known else ""


def files(source: Source) -> list[Path]:
    return _shards(source)


def read(source: Source, writer: Writer) -> None:
    """Totals, advantages and summed log-probabilities; the parts of a reward are not written."""
    writer.trainer = "open-instruct"
    reader = _Reader(writer)
    gather = Gather(writer)
    for path in _shards(source):
        gather.rows(path, reader.rollouts(path))
    writer.settings = Settings(ddof=0, epsilon=1e-8, rounded=gather.unit)
    reader.end()
    writer.found(
        "dropped-groups",
        "groups of one reward are left out before they are written, unless filter_zero_std_samples=false",
    )
    writer.lacks("series", "traces hold rollouts alone", "--with_tracking true; then lens measure run its W&B export")
    writer.lacks("texts", "traces hold tokens alone", "record the next run with lens.runs.tap")
    if not writer.has("logp_old"):
        writer.lacks("logp_old", "log-probabilities weren't written", "record the next run with lens.runs.tap")
    writer.lacks("grams", "open-instruct writes no gradient of a rollout", "lens measure run SUBJECT --model FOLDER")


@dataclass
class _Step:
    """A step that is being written: which time, the samples of that time, and each group's prompt."""

    times: int = 1
    samples: set[int] = field(default_factory=set)
    prompts: dict[int, int] = field(default_factory=dict)


class _Reader:
    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.open: dict[int, _Step] = {}
        self.times: Counter[int] = Counter()  # a step was begun
        self.mixed: tuple[Path, int] | None = None  # rollouts of two prompts under one index
        self.short = 0

    def rollouts(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        for line, row in reading.json_lines(path, self.writer.torn):
            one = reading.shaped(row, Record, path, line, "rollout record")
            yield line, self._made(one, path, line)

    def end(self) -> None:
        again = sorted(step for step, times in self.times.items() if times > 1)
        if again:
            told = f"steps written again, as by a resumed run: {', '.join(map(str, again[:5]))}; both stand here"
            self.writer.found("repeated-step", told)
        if self.short:
            told = "log-probabilities of another length than their response, or not finite"
            self.writer.found("shifted-lists", told, rows=self.short)
        if self.mixed:
            path, line = self.mixed
            told = (
                f"one prompt_idx has rollouts of two prompts at {self.writer.name(path)}:{line}: it is the row's number"
            )
            self.writer.lacks(
                "rollouts",
                f"{told} by num_samples_per_prompt_rollout, which isn't how many this prompt had",
                "--active_sampling false, or record the next run with lens.runs.tap",
            )

    def _made(self, one: Record, path: Path, line: int) -> dict[str, Any]:
        step = self._step(one)
        prompt = key(one.prompt_tokens)
        if step.prompts.setdefault(one.prompt_idx, prompt) != prompt:
            self.mixed = self.mixed or (path, line)
        made = {
            "step": one.step,
            "group": f"{step.times} {one.prompt_idx}",
            "reward": one.reward,
            "score.reward": one.reward,
            "advantage": one.advantage,
            "tokens": len(one.response_tokens),
            "prompt": prompt,
            "content": key(one.prompt_tokens, one.response_tokens),
            "truncated": one.finish_reason == "length",
        }
        if one.logprobs is not None:
            told = [value for value in one.logprobs if value is not None and math.isfinite(value)]
            if len(told) == len(one.response_tokens):
                made["logp_old"] = math.fsum(told)
            else:
                self.short += 1
        return made

    def _step(self, one: Record) -> _Step:
        """The step a record is of; one whose sample was written already is the step begun again."""
        step = self.open.get(one.step)
        if step is None or one.sample_idx in step.samples:
            self.times[one.step] += 1
            step = self.open[one.step] = _Step(self.times[one.step])
            if len(self.open) > OPEN:
                del self.open[next(iter(self.open))]
        step.samples.add(one.sample_idx)
        return step


def _shards(source: Source) -> list[Path]:
    return source.files(NAMES)


ADAPTER = Adapter(
    name="open-instruct",
    title="open-instruct",
    layout="{run}_rollouts_{shard}.jsonl",
    versions="open-instruct of August 2026",
    tested="writer code",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
)
