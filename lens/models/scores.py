"""Recorded scores: what somebody wrote down that a reward model said of pairs. Nothing new can be asked of them.

A file holds the pairs (any layout of `lens.models.layouts`) or their `pair_id`, and beside them
    chosen_score, rejected_score    or score_chosen, chosen_reward, reward_chosen, scores_chosen, ...
    score_A, score_B                beside response_A, response_B, label
    scores                          {"chosen": ..., "rejected": ...}, or both in the order of the replies
    judgments                       JudgeBench's: `judgment.scores` with the replies in one order, then in the other
A column `order` says which order of the replies a row was scored in, where a pair stands in the file twice.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from lens.canonical import digest, file_digest
from lens.errors import UsageError
from lens.models.layouts import KEY, LeftOut, columns_of, read_rows
from lens.models.model import Encoded, Family, Padding, Prompt
from lens.models.pairs import Pair, Pairs
from lens.reading import Input, Subject
from lens.records import records

ROLES = ("{role}_score", "score_{role}", "{role}_reward", "reward_{role}", "scores_{role}", "rewards_{role}")
_REMEDY = "score the pairs with the model itself: lens measure model MODEL --pairs FILE"


class Scores(NamedTuple):
    """A pair's scores, ru."""

    chosen: float
    rejected: float


@dataclass(frozen=True)
class Recorded:
    """One scored pair: `orders` has its scores in every order of the replies that was recorded, the first one first.
    `pair` is None where the file holds its `key` alone."""

    pair: Pair | None
    key: str
    orders: tuple[Scores, ...]


@dataclass(frozen=True)
class ScoresModel:
    """See `lens.models.model.RewardModel`: a model of which nothing is here but what it once said."""

    slug: str
    title: str
    spec: str
    fingerprint: str  # SHA-256 of the file
    licence: str
    locator: str
    rows: tuple[Recorded, ...]
    scored: str = ""  # the published set of pairs that this is a record of
    left_out: tuple[str, ...] = ()
    kind: str = "recorded scores"
    family: Family = "scores"
    device: str = "none"
    dtype: str = "recorded"
    context: int = 0
    trunk: None = None
    network: None = None

    def as_subject(self) -> Subject:
        return Subject("models", self.slug, self.title, self.fingerprint, self.spec, self.licence)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """The files that readings of it are made from."""
        return (Input("scores", f"{self.slug}-scores", self.fingerprint, self.locator, len(self.rows), self.licence),)

    def grants(self) -> str:
        return "grader.record gold.record"

    @cached_property
    def own_pairs(self) -> Pairs | None:
        """The pairs scored: the published set, or those in the file; None where it holds their names alone."""
        if self.scored:
            from lens.models.read_pairs import read_pairs

            return read_pairs(self.scored)
        found = tuple(row.pair for row in self.rows if row.pair is not None)
        if not found:
            return None
        return Pairs(self.slug, found, self.fingerprint, self.locator, self.licence, self.left_out)

    def recorded(self, pair: Pair) -> Scores | None:
        """The scores of a pair, whichever of its replies the record calls the chosen one; None where it has none."""
        found = self.orders(pair)
        return found[0] if found else None

    def orders(self, pair: Pair) -> tuple[Scores, ...]:
        """The scores of a pair in every recorded order of its replies."""
        if (row := self._by_content.get(pair.digest)) is not None:
            return row.orders
        turned = Pair(pair.number, pair.prompt, pair.rejected, pair.chosen)
        if (row := self._by_content.get(turned.digest)) is not None:
            return tuple(Scores(one.rejected, one.chosen) for one in row.orders)
        row = self._by_key.get(pair.key) if pair.key else None
        return row.orders if row is not None else ()

    def encode(self, prompt: Prompt, response: str) -> Encoded:  # noqa: ARG002
        self._silent()

    def rewards(self, texts: Sequence[Encoded]) -> list[float]:  # noqa: ARG002
        self._silent()

    def native(self, texts: Sequence[Encoded], padding: Padding) -> list[float]:  # noqa: ARG002
        self._silent()

    @cached_property
    def _by_content(self) -> dict[str, Recorded]:
        return {row.pair.digest: row for row in self.rows if row.pair is not None}

    @cached_property
    def _by_key(self) -> dict[str, Recorded]:
        return {row.key: row for row in self.rows if row.key and row.pair is None}

    def _silent(self) -> NoReturn:
        raise UsageError(f"{self.title} is a record of scores: it can't score a new text", remedy=_REMEDY)


@dataclass(frozen=True)
class Panel(ScoresModel):
    """Several models' records side by side. It has no scores of its own: each model's units are its own."""

    members: tuple[ScoresModel, ...] = ()

    @property
    def inputs(self) -> tuple[Input, ...]:
        return tuple(one for member in self.members for one in member.inputs)

    @cached_property
    def own_pairs(self) -> Pairs | None:
        return next((member.own_pairs for member in self.members if member.own_pairs is not None), None)


def read_scores(
    path: Path, *, slug: str, title: str, spec: str, locator: str, licence: str = "unknown", scored: str = ""
) -> ScoresModel:
    """A file of recorded scores. Raises UsageError for one that isn't there, a row without a finite score (its line),
    a pair scored twice without an order, and columns that don't fit."""
    if not path.is_file():
        raise UsageError(f"no file of scores at {path}", remedy="scores:FILE, a JSONL or Parquet file, one pair a row")
    out = LeftOut()
    found: dict[str, Recorded] = {}
    ordered: set[tuple[str, str]] = set()
    for number, pair, key, scores, order in _rows(path, out):
        name = pair.digest if pair is not None else key
        before = found.get(name)
        if before is not None and not order and before.orders != scores:
            raise UsageError(
                f"{path.name}, line {number}: this pair stands in the file before, with other scores",
                remedy="add a column `order` that says in which order the replies were shown",
            )
        if before is None:
            found[name] = Recorded(pair, key, scores)
        elif order and (name, order) not in ordered:
            found[name] = Recorded(pair, key, before.orders + scores)
        ordered.add((name, order))
    if not found:
        raise UsageError(
            f"{path.name} has no scored pairs: {'; '.join(out.told()) or 'it has no rows'}",
            remedy="give at least one pair, or pair_id, with a score of each reply",
        )
    rows = tuple(found.values())
    return ScoresModel(slug, title, spec, file_digest(path), licence, locator, rows, scored, out.told())


def panel(members: Sequence[ScoresModel], *, slug: str, title: str, spec: str) -> Panel:
    """Records side by side. Raises UsageError for fewer than two, or two of one name."""
    if len(members) < 2 or len({one.slug for one in members}) < len(members):
        raise UsageError(f"{spec}: a panel is at least two records of different names", remedy="scores:A.jsonl+B.jsonl")
    content = digest([one.fingerprint for one in members])
    licence = ", ".join(dict.fromkeys(one.licence for one in members))
    return Panel(slug, title, spec, content, licence, "", (), members=tuple(members))


def _rows(path: Path, out: LeftOut) -> Iterator[tuple[int, Pair | None, str, tuple[Scores, ...], str]]:
    """(line, pair, its key, scores in each order, order) of every scored row."""
    rows = list(records(path))
    if rows and columns_of(rows[0][1]) is not None:
        for pair, swapped, row in read_rows(rows, path.name, out):
            yield pair.number, pair, pair.key, _scores(path, pair.number, row, swapped), str(row.get("order") or "")
        return
    for number, row in rows:
        key = next((row[name] for name in KEY if row.get(name) not in (None, "")), None)
        if key is None:
            raise UsageError(
                f"{path.name}, line {number} names no pair: columns {', '.join(map(str, row)) or '(none)'}",
                remedy="add the pair (prompt, chosen, rejected) or its pair_id",
            )
        yield number, None, str(key), _scores(path, number, row, False), str(row.get("order") or "")


def _scores(path: Path, number: int, row: Mapping[str, Any], swapped: bool) -> tuple[Scores, ...]:
    found = _found(row, swapped)
    if not found:
        raise UsageError(
            f"{path.name}, line {number} has no scores: columns {', '.join(map(str, row))}",
            remedy="name them chosen_score and rejected_score, score_A and score_B, or scores",
        )
    for value in (value for scores in found for value in scores):
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
            raise UsageError(
                f"{path.name}, line {number}: a score is {value!r}, no finite number", remedy="leave the line out"
            )
    return tuple(Scores(float(chosen), float(rejected)) for chosen, rejected in found)


def _found(row: Mapping[str, Any], swapped: bool) -> list[tuple[Any, Any]]:
    """(chosen, rejected) in each order recorded, as they stand in the row."""
    if isinstance(judgments := row.get("judgments"), (list, tuple)):
        both = [_in_judgment(one) for one in judgments]
        if all(both):
            return [_by_place(one, swapped != bool(at % 2)) for at, one in enumerate(both) if one is not None]
        return []
    known = {str(name).lower(): value for name, value in row.items()}
    for form in ROLES:
        if (one := form.format(role="chosen")) in known and (other := form.format(role="rejected")) in known:
            return [(known[one], known[other])]
    for a, b in (("a", "b"), ("1", "2")):
        for form in ROLES:
            if (one := form.format(role=a)) in known and (other := form.format(role=b)) in known:
                return [_by_place((known[one], known[other]), swapped)]
    scores = known.get("scores")
    if isinstance(scores, Mapping) and {"chosen", "rejected"} <= set(scores):
        return [(scores["chosen"], scores["rejected"])]
    if isinstance(scores, (list, tuple)) and len(scores) == 2:
        return [_by_place(scores, swapped)]
    return []


def _in_judgment(judgment: Any) -> Sequence[Any] | None:
    inner = judgment.get("judgment") if isinstance(judgment, Mapping) else None
    scores = inner.get("scores") if isinstance(inner, Mapping) else None
    return scores if isinstance(scores, (list, tuple)) and len(scores) == 2 else None


def _by_place(scores: Sequence[Any], second_is_chosen: bool) -> tuple[Any, Any]:
    return (scores[1], scores[0]) if second_is_chosen else (scores[0], scores[1])
