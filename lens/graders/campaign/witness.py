"""Inputs made to tell surviving mutants from the original: rows of the corpora, cut, spliced and exchanged.

Half of the pieces put in are text constants of the grader's own functions: what it looks for is what it trips over.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from lens.graders.corpus import Row

COUNT = 2000
_LONGEST = 24  # characters of a constant worth splicing in
_LETTERS = tuple(" \n0123456789.,-+/=%$\\{}()[]^_aAxX<>#:\"'")


def tokens(plan: dict[str, Any]) -> list[str]:
    """Short text constants of the functions the audited call reaches."""
    found: set[str] = set()
    for file in {unit["key"][0] for unit in plan["units"]}:
        spans = [unit["lines"] for unit in plan["units"] if unit["key"][0] == file]
        found |= {
            node.value
            for node in ast.walk(ast.parse(Path(file).read_bytes()))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) <= _LONGEST
            if any(first <= node.lineno <= last for first, last in spans)
        }
    return sorted(found)


def rows(bases: Sequence[Row], pieces: Sequence[str], *, seed: int, count: int = COUNT) -> list[Row]:
    """Up to `count` distinct rows that are none of `bases`; fewer where they run out, none where golds and responses
    are no text."""
    random = Random(f"witness/{seed}")
    usable = [row for row in bases if isinstance(row.response, str)]
    known = {_key(row) for row in bases}
    found: list[Row] = []
    for _ in range(3 * count if usable else 0):
        row = msgspec.structs.replace(
            _changed(random, usable, pieces), number=len(found), label=None, relation="witness"
        )
        if _key(row) not in known:
            known.add(_key(row))
            found.append(row)
        if len(found) == count:
            break
    return found


def _key(row: Row) -> bytes:
    return msgspec.json.encode([row.response, row.gold, row.columns])


def _changed(random: Random, bases: Sequence[Row], pieces: Sequence[str]) -> Row:
    row = random.choice(bases)
    text_gold = isinstance(row.gold, str)
    match random.randrange(5):
        case 0 if text_gold:  # the same cut on both sides: what is equal before clean-up need not be after it
            gold = _edited(random, row.gold, pieces)
            return msgspec.structs.replace(row, gold=gold, response=row.response.replace(row.gold, gold) or gold)
        case 1 if text_gold:
            return msgspec.structs.replace(row, gold=_edited(random, row.gold, pieces))
        case 2:
            return msgspec.structs.replace(row, response=random.choice(bases).response)
        case 3 if text_gold and row.gold in row.response:
            answer = _edited(random, row.gold, pieces)
            return msgspec.structs.replace(row, response=row.response.replace(row.gold, answer))
    return msgspec.structs.replace(row, response=_edited(random, row.response, pieces))


def _edited(random: Random, text: str, pieces: Sequence[str]) -> str:
    for _ in range(random.randint(1, 3)):
        at = random.randint(0, len(text))
        end = min(len(text), at + random.randint(0, 3))
        piece = random.choice(pieces if pieces and random.random() < 0.5 else _LETTERS)
        text = text[:at] + random.choice((piece, piece, "")) + text[end if random.random() < 0.5 else at :]
    return text
