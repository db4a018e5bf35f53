"""One rollout a row, in columns that have the record's names already: JSON Lines or Parquet, a file or its shards."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.columns import EXTRA, LEAF, ROLLOUTS
from lens.runs.formats import files as reading
from lens.runs.formats.files import Line
from lens.runs.formats.rows import first_row, kind_of, rows
from lens.runs.formats.trl import given
from lens.runs.gather import Gather, text, whole
from lens.runs.writer import TEXTS, Writer

GROUPS = ("group", "uid", "prompt")
LEAVES = "rewards"  # a mapping, or columns `rewards/NAME`
OTHER_NAMES = {
    "prompt": "prompt_text",
    "completion": "completion_text",
    "response": "completion_text",
    "n_chars": "chars",
    "n_tokens": "tokens",
}
FAILURES = ("error", "status")
REMEDIES = {
    "advantage": ("no row has an advantage", "write `advantage` beside each reward"),
    "gold": ("no row has a trusted grader's score", "write `gold`: a grader that isn't trained on"),
    "logp_old": ("no row has log-probabilities", "write `logp_old` and `logp_ref`, summed over tokens"),
}
FINE = ("", "ok", "success", "value", "none")
PLACES = {*ROLLOUTS, *TEXTS} - {"step", "group", "row", "file", "line", "prompt", "content"}
NO_LEAVES = {"kl", "loss", "target", *ROLLOUTS}  # fractions that are measurements, not scores


def recognise(source: Source) -> str:
    paths = _paths(source)
    first = first_row(paths[0]) if paths else {}
    group = next((name for name in GROUPS if name in first), "")
    if not group or not ("reward" in first or _leaf_names(first) or _fractions(first)):
        return ""
    return f"{paths[0].name}: rows with {group} and a score"


def files(source: Source) -> list[Path]:
    """The shards, and the summary beside a lone file. Raises UsageError for a folder of several runs."""
    paths = _paths(source)
    runs = {re.sub(r"\d+", "", path.name) for path in paths}
    if len(runs) > 1:
        raise UsageError(
            f"{source.path} holds files of {len(runs)} runs: {', '.join(path.name for path in paths[:4])}",
            remedy=f"name one of them: lens measure run {paths[0]}",
        )
    return [*paths, *(one for one in (_summary(path) for path in paths) if one)]


def read(source: Source, writer: Writer) -> None:
    """Rollouts of every shard; a rollout without a step is of step 0, which a finding tells."""
    paths = [path for path in files(source) if path in _paths(source)]
    gather, reader = Gather(writer), _Reader(writer)
    for path in paths:
        reader.begin(path)
        gather.rows(path, reader.rollouts(path))
        if summary := _summary(path):
            _curve(summary, writer)
    reader.end()
    writer.trainer = "unnamed"
    config, known = given(source.config, writer.leaves())
    writer.config |= config
    writer.settings = msgspec.structs.replace(known, rounded=gather.unit)
    for name, (detail, remedy) in REMEDIES.items():
        if not writer.has(name):
            writer.lacks(name, detail, remedy)


def _paths(source: Source) -> list[Path]:
    if source.path.is_file():
        return [source.path] if kind_of(source.path) in ("jsonl", "parquet") else []
    return [path for path in source.files("*") if kind_of(path) in ("jsonl", "parquet")]


def _summary(path: Path) -> Path | None:
    """`run.summary.json` beside `run.rollouts.jsonl.gz`."""
    beside = path.with_name(path.name.partition(".rollouts.")[0] + ".summary.json")
    return beside if ".rollouts." in path.name and beside.is_file() else None


def _leaf_names(row: dict[str, Any]) -> list[str]:
    return [name for name in row if name == LEAVES or name.startswith((f"{LEAVES}/", LEAF))]


def _fractions(row: dict[str, Any]) -> list[str]:
    return [name for name, value in row.items() if isinstance(value, float) and name not in NO_LEAVES]


class _Reader:
    """Rows in the record's names. Where a file has no total and names no leaf, leaves are the columns of fractions."""

    def __init__(self, writer: Writer) -> None:
        self.writer = writer
        self.unnamed: frozenset[str] = frozenset()
        self.lone = False  # the total is its only leaf
        self.without_step = 0
        self.left_out: dict[str, tuple[Path, int]] = {}

    def begin(self, path: Path) -> None:
        first = first_row(path)
        self.lone = "reward" in first and not _leaf_names(first)
        self.unnamed = frozenset() if "reward" in first or _leaf_names(first) else _all_fractions(path)

    def rollouts(self, path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
        lone = self.lone
        for line, row in rows(path, kind_of(path), self.writer.torn):
            group = next((name for name in GROUPS if name in row), None)
            made: dict[str, Any] = {"step": row.get("step"), "group": _group(row[group]) if group else None}
            if made["step"] is None:
                made["step"] = 0
                self.without_step += 1
            for name, value in row.items():
                self._put(made, name, value, Line(line, row), path)
            if lone and "reward" in row:
                made[LEAF + "reward"] = row["reward"]
            yield line, made

    def end(self) -> None:
        if self.without_step:
            self.writer.found("no-step", "rollouts say no step: they count as step 0", rows=self.without_step)
        for name, (path, line) in self.left_out.items():
            self.writer.found("column-left-out", f"{name} is no number and no text the record has", path, line)

    def _put(self, made: dict[str, Any], name: str, value: Any, line: Line, path: Path) -> None:
        place = OTHER_NAMES.get(name, name)
        if place in ("step", *GROUPS):
            return
        if place in FAILURES:
            made["failed"] = str("" if value is None else value).lower() not in FINE or made.get("failed", False)
        elif name == LEAVES:
            made.update(_leaves(value, path, line.number))
        elif name.startswith(f"{LEAVES}/"):
            made[LEAF + name.removeprefix(f"{LEAVES}/")] = value
        elif name in self.unnamed:
            made[LEAF + name] = value
        elif place in PLACES or place.startswith((LEAF, EXTRA)):
            made[place] = value
        elif value is None or isinstance(value, (int, float)):
            made[EXTRA + name] = value
        else:
            self.left_out.setdefault(name, (path, line.number))


def _group(value: Any) -> Any:
    """A prompt of several messages is one name, too."""
    return text(value) if isinstance(value, list) else value


def _leaves(value: Any, path: Path, line: int) -> dict[str, Any]:
    if value is None:
        return {}
    if isinstance(value, (int, float)):
        return {LEAF + LEAVES: value}
    if not isinstance(value, dict):
        raise UsageError(f"{path}:{line}: rewards are a mapping of leaf and score, this is {type(value).__name__}")
    return {LEAF + name: score for name, score in value.items()}


def _all_fractions(path: Path) -> frozenset[str]:
    """Columns in which every value is a fraction or null, and one at least is: a pass over the file."""
    some: set[str] = set()
    other: set[str] = set()
    for _, row in rows(path, kind_of(path), lambda *_: None):
        some.update(_fractions(row))
        other.update(name for name, value in row.items() if value is not None and not isinstance(value, float))
    return frozenset(some - other)


def _curve(path: Path, writer: Writer) -> None:
    """A summary's numbers by step, and what it says of the run."""
    summary = reading.json_file(path)
    curve = summary.get("curve") if isinstance(summary, dict) else None
    if not isinstance(curve, list):
        raise UsageError(f"{path}: a summary is an object whose `curve` is a list of steps")
    said = summary.get("summary")
    writer.config = said if isinstance(said, dict) else {}
    for at, row in enumerate(curve, 1):
        if not isinstance(row, dict):
            raise UsageError(f"{path}: entry {at} of its curve is {type(row).__name__}, not an object")
        logged = {name: reading.number(value, path, at, name) for name, value in row.items() if name != "step"}
        writer.series(whole(row.get("step"), path, at, "step"), logged)


ADAPTER = Adapter(
    name="rollouts",
    title="Rows of rollouts",
    layout="*.jsonl or *.parquet with step, group and reward",
    versions="of any trainer",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=80,
)
