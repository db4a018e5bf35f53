"""Small squares in rows: filled where a heatmap's cell is 1, outlined where it is 0, absent where it is null.

All filled squares are one path (dashes as long as a square), all outlined ones one field under one pattern.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from site_builder.svg.pen import Pen, n
from site_builder.svg.scales import Scale

LAYER = 20


def takes(trace: dict[str, Any]) -> bool:
    return bool(trace["type"] == "heatmap" and len(trace["colorscale"]) == 2)


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    pitch = abs(x.at(1) - x.at(0))
    gap = trace.get("xgap", 1)
    side = pitch - gap
    rows: list[list[int | None]] = trace["z"]
    left, top = min(x.at(-0.5), x.at(0.5)), min(y.at(-0.5), y.at(0.5))
    corner, edge = n(gap / 2 + 0.5), n(side - 1)  # a 1 px outline lies half inside
    cell = f'<path class="l-cell" d="M{corner} {corner}h{edge}v{edge}h-{edge}z"/>'
    fill = pen.pattern(f"cell{n(pitch).replace('.', '-')}", pitch, pitch, cell)
    pen.add(f'<g transform="translate({n(left)} {n(top)})">')
    ground = "".join(
        f"M{n(start * pitch)} {n(first * pitch)}h{n(length * pitch)}v{n(count * pitch)}h-{n(length * pitch)}z"
        for first, count, start, length in _fields(rows)
    )
    if ground:
        pen.path(ground, "", fill=fill)
    filled = "".join(
        f"M{n(start * pitch + gap / 2)} {n((row + 0.5) * pitch)}h{n(length * pitch - gap)}"
        for row, cells in enumerate(rows)
        for start, length in _runs([cell == 1 for cell in cells])
    )
    if filled:
        pen.path(filled, "l-ink", stroke_width=side, stroke_dasharray=f"{n(side)} {n(gap)}")
    pen.add("</g>")


def _runs(flags: list[bool]) -> Iterator[tuple[int, int]]:
    """(start, length) of every run of True."""
    start = None
    for at, flag in enumerate([*flags, False]):
        if flag and start is None:
            start = at
        elif not flag and start is not None:
            yield start, at - start
            start = None


def _fields(rows: list[list[int | None]]) -> Iterator[tuple[int, int, int, int]]:
    """Rectangles of present cells: (first row, rows, first column, columns), equal neighbouring rows joined."""
    runs = [list(_runs([cell is not None for cell in cells])) for cells in rows]
    first = 0
    for row in range(1, len(runs) + 1):
        if row == len(runs) or runs[row] != runs[first]:
            for start, length in runs[first]:
                yield first, row - first, start, length
            first = row
