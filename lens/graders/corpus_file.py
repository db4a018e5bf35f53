"""A corpus of yours: JSONL, JSON, CSV or Parquet, gzipped or not, fitted to the contract by its column names.

A file with a gold column alone gives golds; with a response column beside it, real output, labelled where a label
column says right or wrong. Columns that are none of these are passed to the grader by name.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lens.canonical import digest, file_digest
from lens.errors import UsageError
from lens.graders.formats import Format, formats, guess
from lens.graders.items import Item, Rollout, Source
from lens.records import records

NAMES: dict[str, tuple[str, ...]] = {
    "gold": ("gold", "golds", "ground_truth", "reference", "target", "answer", "solution", "expected", "answers"),
    "response": ("response", "completion", "completions", "output", "prediction", "generation", "model_output", "text"),
    "label": ("label", "is_correct", "correct", "passed", "human_label", "verdict"),
    "question": ("question", "prompt", "problem", "query", "input"),
    "cluster": ("cluster", "problem_id", "prompt_id", "question_id", "unique_id", "id"),
}  # fmt: skip
_TRUE, _FALSE = (
    {"true", "1", "1.0", "yes", "correct", "pass"},
    {"false", "0", "0.0", "-1", "no", "incorrect", "wrong", "fail"},
)


def load(path: Path, fmt: Format | None) -> Source:
    """Read a corpus file for an answer format, or for the one its golds look like.

    Raises UsageError for a missing or empty file, a malformed row (its line named), and columns none of which fits
    (what there is and what is needed).
    """
    if not path.is_file():
        raise UsageError(f"no corpus file {path}", remedy="check the path, or name a published corpus")
    rows = list(records(path))
    if not rows:
        raise UsageError(f"{path.name} has no rows", remedy="give a file with at least one row that has a gold")
    columns = _columns(path, rows[0][1])
    if fmt is None:
        fmt = formats()[
            guess([row[columns["gold"]] for _, row in rows if row.get(columns["gold"]) not in (None, "", [])])
        ]
    items: dict[int, Item] = {}
    rollouts: list[Rollout] = []
    for line, row in rows:
        gold = _gold(path, line, row, columns["gold"], fmt)
        answer = fmt.answers(gold)[0]
        rest = {name: value for name, value in row.items() if name not in columns.values()}
        question = str(row.get(columns.get("question", ""), ""))
        if "response" in columns:
            rollouts.append(_rollout(path, line, row, columns, gold, question, rest))
        items[line] = Item(len(items), gold, answer, question, rest)
    name = path.name.split(".")[0].lower().replace("_", "-")
    return Source(
        name, path.name, file_digest(path), f"file:{path}", "unknown", tuple(items.values()), tuple(rollouts)
    )  # fmt: skip


def _rollout(
    path: Path, line: int, row: dict[str, Any], columns: dict[str, str], gold: Any, question: str, rest: dict[str, Any]
) -> Rollout:
    response = _content(row.get(columns["response"]))
    if response is None:
        raise UsageError(
            f"{path.name}, line {line}: {columns['response']} is empty or no text",
            remedy="mend the line or leave it out",
        )
    label = _label(path, line, row[columns["label"]], columns["label"]) if columns.get("label") in row else None
    cluster = row.get(columns.get("cluster", "")) or digest([question, str(gold)])[:16]
    return Rollout(line, gold, response, None, label, str(cluster), rest)


def _columns(path: Path, first: dict[str, Any]) -> dict[str, str]:
    """Which column plays which part, by the usual names in order of their likelihood."""
    lowered = {str(name).lower(): name for name in first}
    found = {part: next((lowered[n] for n in names if n in lowered), None) for part, names in NAMES.items()}
    columns = {part: name for part, name in found.items() if name is not None}
    if "gold" not in columns:
        raise UsageError(
            f"{path.name} has the columns {', '.join(map(str, first)) or '(none)'}: none of them is a gold answer",
            remedy=f"name the gold column one of {', '.join(NAMES['gold'])}; real output response, its labels label",
        )
    return columns


def _gold(path: Path, line: int, row: dict[str, Any], column: str, fmt: Format) -> Any:
    value = row.get(column)
    if value is None or value == "" or value == []:
        raise UsageError(f"{path.name}, line {line}: {column} is empty", remedy="mend the line or leave it out")
    try:
        return fmt.reads(value)
    except ValueError as error:
        raise UsageError(
            f"{path.name}, line {line}: {column} doesn't fit {fmt.title}: {error}",
            remedy="check that the corpus is for this grader, or mend the line",
        ) from None


def _content(value: Any) -> str | None:
    """The text of a response: a text, or a chat message list's last content."""
    if isinstance(value, str):
        return value
    if isinstance(value, Sequence) and value and isinstance(value[-1], dict):
        content = value[-1].get("content")
        return content if isinstance(content, str) else None
    return None


def _label(path: Path, line: int, value: Any, column: str) -> bool | None:
    if value is None or value == "":
        return None
    text = str(value).strip().lower()
    if text in _TRUE or text in _FALSE:
        return text in _TRUE
    raise UsageError(
        f"{path.name}, line {line}: {column} is {value!r}, neither right nor wrong", remedy="write true or false"
    )
