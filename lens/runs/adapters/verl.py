"""verl's rollout dumps: `trainer.rollout_data_dir/{global_step}.jsonl`, classic and v1, which adds `uid`."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.formats import verl
from lens.runs.formats.rows import first_row
from lens.runs.formats.verl_dumps import PENALTY, Columns, Groups, from_text
from lens.runs.gather import Gather, whole
from lens.runs.writer import Writer

VALIDATION = re.compile(r"(^|[_-])(val|valid|validation)([_-]|$)", re.IGNORECASE)
REMEDIES = {
    "advantage": ("verl's dumps hold no advantages", "record the next run with lens.runs.tap"),
    "logp_old": ("verl's dumps hold no log-probabilities", "record the next run with lens.runs.tap"),
    "tokens": ("verl's dumps hold no token counts", "record the next run with lens.runs.tap"),
    "series": (
        "metrics are not among the dumps",
        "trainer.logger=[file] with VERL_FILE_LOGGER_ROOT=DIR; then lens measure run its JSONL",
    ),
    "grams": ("verl writes no gradient of a single rollout", "lens measure run SUBJECT --model FOLDER"),
}


def recognise(source: Source) -> str:
    found = _steps(source)
    if not found:
        return ""
    first = first_row(found[0])
    known = {"input", "output", "score"} <= set(first)
    return f"{found[0].name}: rows with input, output, score" + (" and uid" if "uid" in first else "") if known else ""


def files(source: Source) -> list[Path]:
    return [*_steps(source), *([source.config] if source.config else [])]


def read(source: Source, writer: Writer) -> None:
    """Scores as totals, numbers of reward_extra_info as leaves (the score where there are none); groups by uid, else by
    prompts of n rollouts each."""
    writer.config = verl.config(source.config)
    writer.settings = verl.settings(writer.config)
    writer.trainer = "verl"
    columns = Columns()
    grouped = {path: columns.add(path, reading.json_lines(path, lambda *_: None)) for path in _steps(source)}
    reader = _Reader(columns, writer)
    gather = Gather(writer)
    for path, groups in grouped.items():
        gather.rows(path, reader.rollouts(path, groups))
    _groups(grouped, writer)
    _columns(columns, writer)
    reader.end()
    if any(not one.v1 for one in grouped.values()):
        writer.found(
            "order", "rows stand in the order that balance_batch left, not in training order", rows=writer.rows
        )
    if VALIDATION.search((source.path if source.path.is_dir() else source.path.parent).name):
        writer.found("validation", "these are rollouts of validation: none was trained on", rows=writer.rows)
    for name, (detail, remedy) in REMEDIES.items():
        writer.lacks(name, detail, remedy)


class _Reader:
    """Rows in the record's names; counts what is told at the end."""

    def __init__(self, columns: Columns, writer: Writer) -> None:
        self.columns, self.writer = columns, writer
        self.leaves = columns.leaves()
        self.as_text: Counter[str] = Counter()
        self.first: dict[str, tuple[Path, int]] = {}
        self.outputs = 0
        self.last_only = verl.estimator(writer.config) in (None, "grpo")
        self.hidden = columns.penalised and not columns.summed
        self.added = self.hidden and verl.penalises(writer.config)

    def rollouts(self, path: Path, groups: Groups) -> Iterator[tuple[int, dict[str, Any]]]:
        known = groups.known(self.writer.settings.group_size)
        for line, row in reading.json_lines(path, self.writer.torn):
            if self.last_only and not groups.counts(row):
                self.outputs += 1
                continue
            score = self._number(row, "score", path, line)
            made: dict[str, Any] = {
                "step": whole(row.get("step", int(path.stem)), path, line, "step"),
                "group": groups.of(row) if known else f"row {line}",
                "prompt_text": row.get("input"),
                "completion_text": row.get("output"),
            }
            for name in self.leaves:
                if name in row:
                    made[f"score.{name}"] = self._number(row, name, path, line)
            if self.hidden or not self.leaves:
                made["score.score"] = score
            if self.added:
                made["reward"] = None if score is None else score + (made[f"score.{PENALTY}"] or 0.0)
            elif not self.hidden:
                made["reward"] = score
            yield line, made

    def end(self) -> None:
        for name, rows in self.as_text.items():
            path, line = self.first[name]
            told = f"{name} was written as text, as NumPy's numbers are by this dumper"
            self.writer.found("numbers-as-text", told, path, line, rows)
        if self.outputs:
            told = "outputs of a rollout before its last: they carry its advantage and enter no group's mean"
            self.writer.found("outputs-left-out", told, rows=self.outputs)
        if self.added:
            told = f"score is the reward function's own, before {PENALTY}, which is added here as verl does"
            self.writer.found("overwritten-column", told, rows=self.writer.rows)
        elif self.hidden:
            told = (
                f"score may be the reward function's own, before {PENALTY}: the total that was trained on isn't known"
            )
            self.writer.found("overwritten-column", told, rows=self.writer.rows)
            self.writer.lacks("reward", told, "--config FILE, verl's configuration, or train with trainer.use_v1=True")

    def _number(self, row: dict[str, Any], name: str, path: Path, line: int) -> float | None:
        value = reading.need(row, name, path, line)
        if isinstance(value, str) and (number := from_text(value)) is not None:
            self.as_text[name] += 1
            self.first.setdefault(name, (path, line))
            return number
        return reading.number(value, path, line, name)


def _groups(grouped: dict[Path, Groups], writer: Writer) -> None:
    loose = [path.name for path, groups in grouped.items() if not groups.known(writer.settings.group_size)]
    if loose:
        more = f" and {len(loose) - 1} more" if len(loose) > 1 else ""
        writer.lacks(
            "rollouts",
            f"no uid, and prompts don't come equally often in {loose[0]}{more}: "
            "which rollouts share a group can't be known",
            "train with the v1 trainer (trainer.use_v1=True), or return a uid among the reward function's extras",
        )
    if verl.penalises_kl(writer.config):
        writer.found("kl-in-reward", "scores are before the KL penalty that algorithm.use_kl_in_reward took off them")


def _columns(columns: Columns, writer: Writer) -> None:
    for name, (why, path, line) in columns.left_out().items():
        writer.found("column-left-out", f"{name} {why}", path, line)
    for name, missing in columns.dropped().items():
        writer.found(
            "dropped-column",
            f"{name} is missing from {len(missing)} of {len(columns.files)} files: verl leaves out a column whose "
            "length isn't the batch's; return the same keys from every data source's reward function",
            missing[0],
        )
    if not columns.named and writer.rows:
        writer.found("total-alone", "no parts of the reward were written; with trainer.use_v1=False its extras are")


def _steps(source: Source) -> list[Path]:
    """Files named by a step, in the folder or one below it; below it, those of validation are left out."""
    if source.path.is_file():
        return [source.path] if source.path.suffix == ".jsonl" and source.path.stem.isdigit() else []
    here = [one for one in source.files("*.jsonl") if one.stem.isdigit()]
    below = [one for one in source.files("*/*.jsonl") if one.stem.isdigit() and not VALIDATION.search(one.parent.name)]
    return here or below


ADAPTER = Adapter(
    name="verl",
    title="verl",
    layout="rollout_data_dir/{step}.jsonl",
    versions="verl 0.9, classic and v1 trainer",
    tested="writer code",
    version=2,
    recognise=recognise,
    files=files,
    read=read,
    order=30,
    named=True,
)
