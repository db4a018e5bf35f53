"""Lines of a grader as pieces that fit columns: which lines stand together, where a column breaks."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns

_ENOUGH = 4  # lines a cut leaves on either side, at least
_GAP = 3  # lines without code that are still shown as blank lines


class Piece(NamedTuple):
    """Lines first..last of one function, drawn without a break. `head` where the function's name goes above."""

    file: str
    function: str
    first: int
    last: int
    head: bool

    @property
    def rows(self) -> int:
        """Rows it takes: its lines, its name, and one to part it from the next."""
        return self.last - self.first + 1 + self.head + 1


def pieces(table: Columns) -> list[Piece]:
    """Functions in the order of their files, cut where more than a few lines hold no code."""
    files = table.get("file", [""] * len(table["line"]))
    by_function: dict[tuple[str, str], set[int]] = {}
    for file, function, line in zip(files, table["function"], table["line"], strict=True):
        by_function.setdefault((file, function), set()).add(line)
    found: list[Piece] = []
    for (file, function), numbers in sorted(by_function.items(), key=lambda item: (item[0][0], min(item[1]))):
        lines = sorted(numbers)
        start = lines[0]
        for line, following in zip(lines, [*lines[1:], None], strict=True):
            if following is None or following - line > _GAP:
                found.append(Piece(file, function, start, line, start == lines[0]))
                start = following or 0
    return found


def columns(found: list[Piece], count: int) -> list[list[Piece]]:
    """Pieces dealt into at most `count` columns, as short as they can be; a long piece is cut at a column's end."""
    room = max(12, -(-sum(piece.rows for piece in found) // count))
    while len(dealt := _deal(found, room)) > count:
        room += 1
    return dealt


def _deal(found: list[Piece], room: int) -> list[list[Piece]]:
    """Columns of at most `room` rows."""
    dealt: list[list[Piece]] = [[]]
    left = room
    waiting = list(found)
    while waiting:
        piece = waiting.pop(0)
        if piece.rows - 1 <= left:  # nothing needs parting from the end of a column
            dealt[-1].append(piece)
            left -= piece.rows
            continue
        lines = piece.last - piece.first + 1
        fits = min(left - piece.head, lines - _ENOUGH)
        if fits >= _ENOUGH:
            dealt[-1].append(piece._replace(last=piece.first + fits - 1))
            piece = piece._replace(first=piece.first + fits, head=False)
        waiting.insert(0, piece)
        dealt.append([])
        left = room
    return [column for column in dealt if column]
