"""Inputs made to tell surviving mutants from the original: rows of the corpora, cut, spliced and exchanged.

Half of the pieces put in are text constants of the grader's own functions: what it looks for is what it trips over.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from lens.graders.corpus import Row

COUNT = 2000
LEAST = 30  # of a grader that hangs or is slow
_LONGEST = 24  # characters of a constant worth splicing in
_LETTERS = tuple(" \n0123456789.,-+/=%$\\{}()[]^_aAxX<>#:\"'")


def tokens(plan: dict[str, Any]) -> list[str]:
    """Short text constants of the functions the audited call reaches, in source order: one that is replaced by
    another stands beside it."""
    found: dict[str, None] = {}
    for file in sorted({unit["key"][0] for unit in plan["units"]}):
        spans = [unit["lines"] for unit in plan["units"] if unit["key"][0] == file]
        texts = [
            (node.lineno, node.col_offset, node.value)
            for node in ast.walk(_parsed(file))
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and 0 < len(node.value) <= _LONGEST
            if any(first <= node.lineno <= last for first, last in spans)
        ]
        found |= {text: None for _, _, text in sorted(texts)}
    return list(found)


def _parsed(file: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about somebody else's source
        return ast.parse(Path(file).read_bytes())


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
    way = random.randrange(8)
    if way == 0:
        return msgspec.structs.replace(row, response=random.choice(bases).response)
    if way == 1 or not isinstance(row.gold, str) or row.gold not in row.response:
        return msgspec.structs.replace(row, response=_edited(random, row.response, pieces))
    if way > 4 and pieces:
        gold, answer = _exchanged(random, row.gold, pieces)
    else:
        gold = row.gold if way == 2 else _edited(random, row.gold, pieces)
        answer = row.gold if way == 3 else _edited(random, gold, pieces, most=1)
    return msgspec.structs.replace(row, gold=gold, response=row.response.replace(row.gold, answer))


def _exchanged(random: Random, text: str, pieces: Sequence[str]) -> tuple[str, str]:
    """The text with a constant put in, and with its neighbour in the source, or nothing, in the same place."""
    at = random.choice((0, len(text), random.randint(0, len(text))))
    one = random.randrange(len(pieces))
    other = random.choice((pieces[one - 1], pieces[(one + 1) % len(pieces)], "", random.choice(pieces)))
    tail = random.choice(("", random.choice(_LETTERS))) + text[at:]
    return text[:at] + pieces[one] + tail, text[:at] + other + tail


def _edited(random: Random, text: str, pieces: Sequence[str], *, most: int = 3) -> str:
    """One to `most` places cut, or given a piece or two."""
    for _ in range(random.randint(1, most)):
        at = random.randint(0, len(text))
        end = min(len(text), at + random.choice((0, 0, 0, 1, 2)))
        count = 0 if end > at and random.random() < 0.5 else random.choice((1, 1, 2))
        put = "".join(random.choice(pieces if pieces and random.random() < 0.5 else _LETTERS) for _ in range(count))
        text = text[:at] + put + text[end:]
    return text
