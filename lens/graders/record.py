"""A training run's record, read for what its leaves say about the grader: JSONL or Parquet, one rollout a row.

Columns used: `step`, `group` (else rollouts of one step and prompt), the leaf scores, the total `reward`,
`error` or `status` where the trainer wrote why a score is missing, and `exploit` where somebody named the
family of each exploit. Leaves are a `rewards` mapping, columns `rewards/NAME`, or, where neither and no total
stands in the file, every column of fractions that isn't a known measurement (TRL's completions files).
"""

from __future__ import annotations

import gzip
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lens.canonical import file_digest
from lens.errors import UsageError
from lens.reading import Input

_NOT_LEAVES = {"advantage", "reward", "gold", "target", "logp_old", "logp_ref", "kl", "entropy", "loss"}
_FAILURE_COLUMNS = ("error", "status")
_FINE = {"", "ok", "success", "value", "none"}


@dataclass(frozen=True)
class RunRecord:
    """Rollouts in file order. `leaves[name][i]` is None where that leaf abstained (null or NaN).

    `groups[i]` identifies the group of rollout i; `totals`, `failed`, `exploits` are None where the record
    has no such column.
    """

    path: Path
    digest: str
    groups: tuple[str, ...]
    leaves: dict[str, tuple[float | None, ...]]
    totals: tuple[float | None, ...] | None
    failed: tuple[bool, ...] | None
    exploits: tuple[str, ...] | None

    def __len__(self) -> int:
        return len(self.groups)

    def as_input(self) -> Input:
        return Input("record", self.path.name, self.digest, f"file:{self.path.name}", len(self))


def read_record(path: Path) -> RunRecord:
    """Read a run record.

    Raises UsageError for a missing file, a row that isn't an object, or rows that name no group or no score.
    """
    if not path.is_file():
        raise UsageError(f"no run record at {path}", remedy="give --record a JSONL or Parquet file, one rollout a row")
    rows = list(_rows(path))
    if not rows:
        raise UsageError(f"{path} holds no rollouts")
    names = list(dict.fromkeys(name for row in rows for name in row))
    leaves = _leaves(rows, names)
    totals = tuple(_number(row.get("reward")) for row in rows) if "reward" in names else None
    if not leaves and totals is None:
        raise UsageError(
            f"{path} has no score: columns {', '.join(names)}",
            remedy="name the total `reward` and the leaves `rewards/NAME`, or put a `rewards` mapping in each row",
        )
    return RunRecord(
        path,
        file_digest(path),
        tuple(_groups(rows, names, path)),
        leaves or {"reward": totals or ()},
        totals,
        _failed(rows, names),
        tuple(str(row.get("exploit") or "") for row in rows) if "exploit" in names else None,
    )


def _rows(path: Path) -> Iterator[dict[str, Any]]:
    if path.suffix == ".parquet":
        import pyarrow.lib
        import pyarrow.parquet

        try:
            yield from pyarrow.parquet.read_table(path).to_pylist()
        except pyarrow.lib.ArrowException as error:
            raise UsageError(f"{path} is no Parquet file: {error}") from None
        return
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    for number, line in enumerate(data.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            raise UsageError(f"{path}:{number}: not JSON: {error}") from None
        if not isinstance(row, dict):
            raise UsageError(f"{path}:{number}: a rollout is a JSON object, this is {type(row).__name__}")
        yield row


def _leaves(rows: list[dict[str, Any]], names: list[str]) -> dict[str, tuple[float | None, ...]]:
    if any(isinstance(row.get("rewards"), dict) for row in rows):
        keys = list(dict.fromkeys(key for row in rows for key in row.get("rewards") or {}))
        return {key: tuple(_number((row.get("rewards") or {}).get(key)) for row in rows) for key in keys}
    prefixed = [name for name in names if name.startswith("rewards/")]
    if not prefixed and "reward" in names:
        return {}
    chosen = prefixed or [name for name in names if name not in _NOT_LEAVES and _fractions(rows, name)]
    return {name.removeprefix("rewards/"): tuple(_number(row.get(name)) for row in rows) for name in chosen}


def _fractions(rows: list[dict[str, Any]], name: str) -> bool:
    values = [row[name] for row in rows if row.get(name) is not None]
    return bool(values) and all(isinstance(value, float) for value in values)


def _groups(rows: list[dict[str, Any]], names: list[str], path: Path) -> Iterator[str]:
    key = next((name for name in ("group", "uid", "prompt") if name in names), None)
    if key is None:
        raise UsageError(
            f"{path} names no group: columns {', '.join(names)}",
            remedy="add `group`: the rollouts of one prompt in one step share it",
        )
    return (f"{row.get('step', '')}\0{row.get(key, '')}" for row in rows)


def _failed(rows: list[dict[str, Any]], names: list[str]) -> tuple[bool, ...] | None:
    column = next((name for name in _FAILURE_COLUMNS if name in names), None)
    if column is None:
        return None
    return tuple(str(row.get(column) or "").lower() not in _FINE for row in rows)


def _number(value: Any) -> float | None:
    if isinstance(value, (bool, int, float)) and math.isfinite(value):
        return float(value)
    return None
