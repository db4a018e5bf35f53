"""lm-evaluation-harness: samples by task, a row a document and filter. Filters read one response in several ways, so
rows of a document are one rollout, with a leaf a metric and filter."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lens.errors import UsageError
from lens.runs.adapter import Adapter, Source
from lens.runs.formats import files as reading
from lens.runs.gather import Gather, whole
from lens.runs.writer import Writer

NAMED = re.compile(r"samples_(?P<task>.+)_(?P<date>\d{4}-\d{2}-\d{2}T[\d.\-]+)\.jsonl")
Scores = dict[int, dict[tuple[str, str], float | None]]  # by document, then metric and filter


def recognise(source: Source) -> str:
    found = _paths(source)
    return f"{found[0].name}: samples of one task, by document and filter" if found else ""


def files(source: Source) -> list[Path]:
    """Samples of every task. Raises UsageError where a task was evaluated more than once."""
    found = _paths(source)
    tasks = [_task(path) for path in found]
    for path, task in zip(found, tasks, strict=True):
        if tasks.count(task) > 1:
            raise UsageError(
                f"{source.path} holds {tasks.count(task)} evaluations of {task}",
                remedy=f"name one of them: lens measure run {path}",
            )
    return found


def read(source: Source, writer: Writer) -> None:
    """Two passes over a file: numbers of every filter, then the text of each document, once."""
    gather = Gather(writer)
    for path in files(source):
        scores, filters = _scores(path, writer)
        gather.rows(path, _rollouts(path, scores, filters))
    writer.trainer = "lm-evaluation-harness"
    for name in ("reward", "advantage"):
        if not writer.has(name):
            writer.lacks(
                name,
                f"an evaluation has no {name}",
                "lens measure run SUBJECT --map FILE, which names a score the reward",
            )


def _paths(source: Source) -> list[Path]:
    found = [source.path] if source.path.is_file() else [*source.files("*.jsonl"), *source.files("*/*.jsonl")]
    return [path for path in found if NAMED.fullmatch(path.name)]


def _task(path: Path) -> str:
    found = NAMED.fullmatch(path.name)
    return found["task"] if found else path.stem


def _scores(path: Path, writer: Writer) -> tuple[Scores, list[str]]:
    found: Scores = {}
    filters: dict[str, None] = {}
    left_out: dict[str, int] = {}
    again = first = 0
    for line, row in reading.json_lines(path, writer.torn):
        document, metrics = _document(path, line, row), row.get("metrics")
        if not isinstance(metrics, list):
            raise UsageError(f"{path}:{line}: metrics is {type(metrics).__name__}, not a list of names")
        filter_ = str(row.get("filter", "none"))
        filters[filter_] = None
        held = found.setdefault(document, {})
        if any(known == filter_ for _, known in held):
            again, first = again + 1, first or line
        for name in map(str, metrics):
            if isinstance(row.get(name), (list, dict)):
                left_out.setdefault(name, line)
            else:
                held[name, filter_] = reading.number(row.get(name), path, line, name)
    for name, line in left_out.items():
        writer.found("score-left-out", f"{name} is a list, and a leaf is one number", path, line)
    if again:
        writer.found("repeated-document", "documents evaluated again in one file; the last counts", path, first, again)
    return found, list(filters)


def _document(path: Path, line: int, row: dict[str, Any]) -> int:
    return whole(row.get("doc_id"), path, line, "doc_id")


def _rollouts(path: Path, scores: Scores, filters: list[str]) -> Iterator[tuple[int, dict[str, Any]]]:
    waiting = set(scores)
    for line, row in reading.json_lines(path, _told_before):
        document = _document(path, line, row)
        if document not in waiting:
            continue
        waiting.remove(document)
        leaves = {_leaf(*named, filters): value for named, value in scores[document].items()}
        made = {
            "step": 0,
            "group": f"{_task(path)}\0{document}",
            "prompt_text": _first(row.get("arguments"), "gen_args_0", "arg_0"),
            "completion_text": _first(row.get("resps"), 0, 0),
            **leaves,
        }
        yield line, {**made, "reward": next(iter(leaves.values()))} if len(leaves) == 1 else made


def _told_before(_path: Path, _line: int) -> None:
    """A last line that was cut was told on the first pass."""


def _leaf(metric: str, filter_: str, filters: list[str]) -> str:
    """As the harness names a result: metric, and its filter where there are several."""
    return f"score.{metric}" if len(filters) == 1 else f"score.{metric},{filter_}"


def _first(value: Any, *steps: str | int) -> Any:
    """Down into a response or its arguments as far as they go."""
    for step in steps:
        inside = step in value if isinstance(value, dict) else isinstance(value, list) and step == 0 and bool(value)
        value = value[step] if inside else value
    return value


ADAPTER = Adapter(
    name="lm_eval",
    title="lm-evaluation-harness",
    layout="samples_TASK_DATE.jsonl",
    versions="lm-eval 0.4.13",
    tested="real run",
    version=1,
    recognise=recognise,
    files=files,
    read=read,
    order=40,
    named=True,
)
