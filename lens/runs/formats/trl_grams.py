"""Inner products of rollouts' gradients beside a TRL run: `update_partition.jsonl`, a line an optimizer step.

`completion` and `advantages` are in training order, `score_gram` holds the products of the gradients with every
advantage set to 1, `full_norm` the norm of the whole gradient from a backward pass of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from lens.errors import UsageError
from lens.runs.adapter import Source
from lens.runs.formats.files import json_lines
from lens.runs.keys import key
from lens.runs.writer import Writer


def find(source: Source) -> Path | None:
    path = source.path / "update_partition.jsonl"
    return path if path.is_file() else None


class Placed(NamedTuple):
    """A rollout of the record: the step of its table, its completion's key, its row."""

    step: int
    text: int
    row: int


def read(path: Path | None, placed: Sequence[Placed], writer: Writer) -> None:
    """Each rollout of a step is matched to the record's newest of that completion not after the step, each once.

    Raises UsageError naming the line where a matrix isn't square over its advantages.
    """
    if path is None:
        return
    held: dict[int, list[Placed]] = {}
    for one in placed:
        held.setdefault(one.text, []).append(one)
    for line in json_lines(path, writer.torn):
        row = line.value
        size = len(row["advantages"])
        products = [one for some in row["score_gram"] for one in some]
        if len(products) != size * size:
            raise UsageError(f"{path}:{line.number}: {len(products)} inner products of {size} rollouts")
        writer.gram(
            {
                "step": [row["step"]],
                "row": [_matched(row["step"], row["completion"], held)],
                "advantage": [row["advantages"]],
                "gram": [products],
                "term": [[]],
                "full_norm": [row.get("full_norm")],
            }
        )


def _matched(step: int, texts: Sequence[str], held: dict[int, list[Placed]]) -> list[int]:
    """Rows in the order of the texts; -1 for one that the record doesn't hold."""
    taken: set[int] = set()
    rows = []
    for text in texts:
        free = [one for one in held.get(key(text), ()) if one.step <= step and one.row not in taken]
        row = max(free, key=lambda one: (one.step, -one.row)).row if free else -1
        taken.add(row)
        rows.append(row)
    return rows
