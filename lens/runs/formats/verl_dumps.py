"""What a first pass over verl's rollout dumps tells: which columns are numbers, and what says a row's group.

The classic dumper writes NumPy scalars as text (`json.dumps(default=str)`), leaves a column out of a step's file when
its length isn't the batch's, and lets a reward function's own `score` stand where the total would (verl 0.9.1,
`RayPPOTrainer._write_generations`). The v1 trainer's uid is `{sample}_{rollout}_{output}`; of a rollout's outputs the
last one's score is the rollout's (`compute_advantage_for_multi_trajectories`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lens.runs.formats.files import Line
from lens.runs.keys import key

OWN = ("input", "output", "gts", "score", "step", "uid", "request_id")
NUMBERS = ("reward", "acc")
"""Columns that verl's own metrics take for numbers, also where every row holds text. Other text stays text: an answer
of "42" looks the same."""
PENALTY = "overlong_reward"  # DAPORewardManager adds it to the reward function's score
TOLERANCE = 1e-5  # of max(1, |total|): totals are sums in single precision

_V1 = re.compile(r"(.+)_(\d+)_(\d+)")
_NUMBER = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|nan|inf)")
_FLAGS = {"True": 1.0, "False": 0.0}


def from_text(value: str) -> float | None:
    """The number that `str()` made of a NumPy scalar; None for other text.

    >>> from_text("0.25"), from_text("True"), from_text("1_000"), from_text("42 apples")
    (0.25, 1.0, None, None)
    """
    if value in _FLAGS:
        return _FLAGS[value]
    return float(value) if _NUMBER.fullmatch(value) else None


@dataclass
class Groups:
    """Of one step's file: how often each prompt comes, and the uids, where every row has one."""

    rows: int = 0
    prompts: Counter[int] = field(default_factory=Counter)
    uids: set[str] = field(default_factory=set)
    named: int = 0  # rows with a uid
    last: dict[str, int] = field(default_factory=dict)  # output, by sample and rollout of a v1 uid
    others: int = 0  # uids of another form

    def add(self, row: dict[str, Any]) -> None:
        self.rows += 1
        self.prompts[key(row.get("input"))] += 1
        if row.get("uid") is None:
            return
        self.named += 1
        self.uids.add(uid := str(row["uid"]))
        if not (parts := _V1.fullmatch(uid)):
            self.others += 1
            return
        session = f"{parts[1]}_{parts[2]}"
        self.last[session] = max(self.last.get(session, 0), int(parts[3]))

    @property
    def v1(self) -> bool:
        """Whether uids are the v1 trainer's: one a row, of its form."""
        return 0 < self.rows == self.named == len(self.uids) and not self.others

    def known(self, size: int | None) -> bool:
        """Whether rows can be grouped: by uid, or by prompts that all come `size` times (equally often, where that
        isn't known)."""
        if self.named == self.rows:
            return self.v1 or len(self.uids) < self.rows
        often = set(self.prompts.values())
        return often == {size} or (size is None and len(often) == 1 and often != {1})

    def of(self, row: dict[str, Any]) -> str:
        """A row's group: a v1 uid before its last two parts, any other uid as it is, else the prompt."""
        if self.named == self.rows:
            uid = str(row["uid"])
            return uid.rsplit("_", 2)[0] if self.v1 else uid
        return str(key(row.get("input")))

    def counts(self, row: dict[str, Any]) -> bool:
        """Whether a row's score enters its group's mean: of several outputs of a rollout, the last one's does."""
        if not self.v1:
            return True
        session, _, output = str(row["uid"]).rpartition("_")
        return self.last[session] == int(output)


@dataclass
class Column:
    """What the rows of all files hold under one name; places are the first (file, line) of each sort."""

    files: set[Path] = field(default_factory=set)
    numbers: int = 0
    texts: int = 0  # that are numbers
    first_text: tuple[Path, int] | None = None
    other: tuple[Path, int] | None = None
    repeats: bool = True  # the score, in every row


class Columns:
    """Every column beside verl's own, over the whole run."""

    def __init__(self) -> None:
        self.files: list[Path] = []
        self.named: dict[str, Column] = {}
        self.penalised = False  # some row has an overlong penalty
        self.summed = True  # in every row the score is acc and penalty already

    def add(self, path: Path, lines: Iterable[Line]) -> Groups:
        """Look through one step's file."""
        self.files.append(path)
        groups = Groups()
        for line, row in lines:
            groups.add(row)
            for name, value in row.items():
                if name not in OWN:
                    self._column(name, value, row.get("score"), path, line)
            self._penalty(row)
        return groups

    def leaves(self) -> list[str]:
        """Columns of numbers, alone or with nulls and numbers written as text."""
        return [name for name, column in self.named.items() if self._is_leaf(name, column)]

    def left_out(self) -> dict[str, tuple[str, Path, int]]:
        """Why each other column is none, with the first file and line that say so."""
        found: dict[str, tuple[str, Path, int]] = {}
        for name, column in self.named.items():
            if self._is_leaf(name, column):
                continue
            first = column.other or column.first_text or (min(column.files), 0)
            told = "is the score again" if name == "reward" and column.repeats and not column.other else "is no number"
            if not (column.other or column.first_text or column.numbers):
                told = "holds nothing"
            found[name] = (told, *first)
        return found

    def dropped(self) -> dict[str, list[Path]]:
        """Files without a column that others have."""
        return {
            name: missing
            for name, column in self.named.items()
            if (missing := [one for one in self.files if one not in column.files])
        }

    def _is_leaf(self, name: str, column: Column) -> bool:
        if column.other or (name == "reward" and column.repeats):
            return False
        return column.numbers > 0 or (name in NUMBERS and column.texts > 0)

    def _column(self, name: str, value: Any, score: Any, path: Path, line: int) -> None:
        column = self.named.setdefault(name, Column())
        column.files.add(path)
        column.repeats &= value == score
        if isinstance(value, (int, float)):
            column.numbers += 1
        elif isinstance(value, str) and from_text(value) is not None:
            column.texts += 1
            column.first_text = column.first_text or (path, line)
        elif value is not None:
            column.other = column.other or (path, line)

    def _penalty(self, row: dict[str, Any]) -> None:
        penalty, score, own = row.get(PENALTY), row.get("score"), row.get("acc")
        if not (isinstance(penalty, (int, float)) and penalty and isinstance(score, (int, float))):
            return
        self.penalised = True
        known = isinstance(own, (int, float)) and abs(score - own - penalty) <= TOLERANCE * max(1, abs(score))
        self.summed &= known
