"""Lines of a grader as pieces that fit columns: which lines stand together, where a column breaks."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns

_GAP = 3  # lines without code that are still shown as blank lines


class Piece(NamedTuple):
    """Lines first..last of one function, drawn without a break. `head` where the function's name goes above."""

    function: str
    first: int
    last: int
    head: bool

    @property
    def rows(self) -> int:
        """Rows it takes: its lines, its name, and one to part it from the next."""
        return self.last - self.first + 1 + self.head + 1


def pieces(table: Columns) -> list[Piece]:
    """Functions in the order of the file, cut where more than a few lines hold no code."""
    by_function: dict[str, list[int]] = {}
    for function, line in zip(table["function"], table["line"], strict=True):
        by_function.setdefault(function, []).append(line)
    found: list[Piece] = []
    for function, lines in sorted(by_function.items(), key=lambda item: (min(item[1]), item[0])):
        lines = sorted(set(lines))
        start = previous = lines[0]
        head = True
        for line in [*lines[1:], None]:
            if line is None or line - previous > _GAP:
                found.append(Piece(function, start, previous, head))
                head = False
                start = line or 0
            previous = line or 0
    return found


def columns(found: list[Piece], count: int) -> list[list[Piece]]:
    """Pieces dealt into at most `count` columns of about equal length, a long piece cut at a column's end."""
    room = -(-sum(piece.rows for piece in found) // count) + 2
    dealt: list[list[Piece]] = [[]]
    left = room
    waiting = list(found)
    while waiting:
        piece = waiting.pop(0)
        if piece.rows <= left or (len(dealt) == count):
            dealt[-1].append(piece)
            left -= piece.rows
            continue
        fits = left - piece.head - 1
        if fits >= 5 and piece.last - piece.first + 1 - fits >= 4:
            dealt[-1].append(piece._replace(last=piece.first + fits - 1))
            piece = Piece(piece.function, piece.first + fits, piece.last, False)
        waiting.insert(0, piece)
        dealt.append([])
        left = room
    return [column for column in dealt if column]
