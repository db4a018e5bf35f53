"""Mutants in place: one square each, ordered by operator and line, the same place in every panel."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from lens.reading import Columns
from site_builder.figures import _corpora

_NAMES = {"except-raise": "except → raise", "return-none": "return None", "condition": "condition fixed"}
Rows = list[list[int | None]]


class Block(NamedTuple):
    """One operator's mutants: indices into the table, in the order they are drawn."""

    operator: str
    mutants: list[int]


def name(operator: str) -> str:
    """An operator in words."""
    return _NAMES.get(operator) or _corpora.words(operator)


def blocks(table: Columns) -> list[Block]:
    """Operators, the most frequent first; within one by function, line and mutant."""
    counts = Counter(table["operator"])
    order = sorted(
        range(len(table["mutant"])),
        key=lambda i: (
            -counts[table["operator"][i]],
            table["operator"][i],
            table["line"][i],
            table["function"][i],
            table["mutant"][i],
        ),
    )
    found: dict[str, list[int]] = {}
    for index in order:
        found.setdefault(table["operator"][index], []).append(index)
    return [Block(operator, mutants) for operator, mutants in found.items()]


def killed(table: Columns, corpus: str) -> list[int | None]:
    """Per mutant: 1 noticed, 0 not noticed, None never run on this corpus.

    The table's column names the first row that noticed the mutant, −1 where none did.
    """
    return [None if row is None else int(row >= 0) for row in table[corpus]]


def lattice(found: list[Block], states: list[int | None], columns: int, least: int) -> tuple[Rows, list[int]]:
    """Rows of `columns` squares a block, at least `least` rows a block with a blank one between blocks.

    Returns the rows and the first row of each block; blank places are None.
    """
    rows: Rows = []
    firsts: list[int] = []
    for block in found:
        firsts.append(len(rows))
        cells = [states[index] for index in block.mutants]
        used = -(-len(cells) // columns)
        cells += [None] * (used * columns - len(cells))
        rows += [cells[start : start + columns] for start in range(0, len(cells), columns)]
        rows += [[None] * columns for _ in range(max(1, least - used))]
    return rows[:-1] if rows else rows, firsts


def plain(states: list[int | None], found: list[Block], columns: int) -> Rows:
    """All blocks run on without a gap: order operator, line."""
    cells = [states[index] for block in found for index in block.mutants]
    cells += [None] * (-len(cells) % columns)
    return [cells[start : start + columns] for start in range(0, len(cells), columns)]
