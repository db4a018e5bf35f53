"""Heat maps: cells in two colours on either side of zero, their values where they fit, hatching where nothing was read.

Sign is told by colour and, in a cell without a printed value, by a small bar; the scale ends at the largest value, so
nothing is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from site_builder.figures._readings import Reader
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, hidden, measure
from site_builder.number import NumberError
from site_builder.svg import Run
from site_builder.svg.scales import nice

MOST = 200  # cells whose values are printed; more would weigh the page down and are in the table
_STRIP = 120.0


@dataclass
class Heat:
    """`values` and `refs` by row and column, row 0 first; None and "" where there is no cell. `zeros` are cells
    (row, column) that are zero by structure, `gaps` cells that were declined: both are hatched."""

    values: list[list[float | None]]
    refs: list[list[str]]
    zeros: list[tuple[int, int]] = field(default_factory=list)
    gaps: list[tuple[int, int]] = field(default_factory=list)

    @property
    def rows(self) -> int:
        return len(self.values)

    @property
    def columns(self) -> int:
        return len(self.values[0]) if self.values else 0

    @property
    def most(self) -> float:
        return largest([self])


def largest(heats: Sequence[Heat]) -> float:
    """Where the scale of some heat maps ends: the largest size there is, rounded up."""
    found = [abs(value) for heat in heats for row in heat.values for value in row if value is not None]
    return nice(0.0, max(found, default=0.0) or 1.0, 3)[-1]


def short(reader: Reader, ref: str) -> Run:
    """A value in as few digits as a cell has room for, and no more than its interval allows."""
    for fmt in ("d2", "d1", "d0"):
        try:
            cited = reader.lookup.cite(f"{ref}|{fmt}")
        except NumberError:
            continue
        return Run(cited.text, cited.ref)
    cited = reader.lookup.cite(ref)
    return Run(cited.text, cited.ref)


def draw(
    sheet: Sheet,
    reader: Reader,
    heat: Heat,
    *,
    left: float,
    top: float,
    pitch: tuple[float, float],
    most: float,
    x: dict[str, Any] | None = None,
    y: dict[str, Any] | None = None,
    upward: bool = True,
    leftward: bool = False,
) -> Panel:
    """Draw a heat map whose cells are `pitch` px wide and tall. `upward`: row 0 at the bottom; `leftward`: column 0 at
    the right. `x` and `y` are axes over the cells' numbers, from −½ on."""
    wide, tall = heat.columns * pitch[0], heat.rows * pitch[1]
    across = (heat.columns - 0.5, -0.5) if leftward else (-0.5, heat.columns - 0.5)
    up = (-0.5, heat.rows - 0.5) if upward else (heat.rows - 0.5, -0.5)
    panel = sheet.panel(
        left, top, wide, tall,
        {**(x or hidden(*across)), "range": list(across)}, {**(y or hidden(*up)), "range": list(up)},
    )  # fmt: skip
    texts = _texts(reader, heat, pitch)
    panel.cells(heat.values, most, printed=set(texts))
    fields = [(column - 0.5, column + 0.5, row - 0.5, row + 0.5) for row, column in heat.zeros]
    if fields:
        panel.plates(_joined(fields), outline=False)
    if heat.gaps:
        panel.plates([(column - 0.5, column + 0.5, row - 0.5, row + 0.5) for row, column in heat.gaps])
    for (row, column), run in texts.items():
        at = heat.columns - 1 - column if leftward else column
        down = heat.rows - 1 - row if upward else row
        sheet.text(left + (at + 0.5) * pitch[0], top + (down + 0.5) * pitch[1], run, anchor="center", size=SMALL)
    return panel


def _texts(reader: Reader, heat: Heat, pitch: tuple[float, float]) -> dict[tuple[int, int], Run]:
    """The values that stand in their cells, each where it fits."""
    places = [(r, c) for r, row in enumerate(heat.refs) for c, ref in enumerate(row) if ref]
    if not places or len(places) > MOST or pitch[1] < SMALL + 4 or pitch[0] < 30:
        return {}
    runs = {place: short(reader, heat.refs[place[0]][place[1]]) for place in places}
    return {place: run for place, run in runs.items() if measure(run, SMALL) <= pitch[0] - 3}


def _joined(boxes: list[tuple[float, float, float, float]]) -> list[tuple[float, float, float, float]]:
    """Neighbouring boxes of a column as one."""
    made: list[tuple[float, float, float, float]] = []
    for x0, x1, y0, y1 in sorted(boxes):
        if made and made[-1][:2] == (x0, x1) and made[-1][3] == y0:
            made[-1] = (x0, x1, made[-1][2], y1)
        else:
            made.append((x0, x1, y0, y1))
    return made


def strip(sheet: Sheet, most: float, *, right: float, top: float, unit: str) -> None:
    """The scale of a heat map: its colours from −most to most, with ticks and the unit before it."""
    count = 21
    values: list[list[float | None]] = [[most * (2 * at / (count - 1) - 1) for at in range(count)]]
    left = right - _STRIP - 14  # half a tick's label stands beyond the strip
    sheet.panel(
        left, top, _STRIP, 10, hidden(-0.5, count - 0.5), hidden(-0.5, 0.5)
    ).cells(values, most, gap=0)  # fmt: skip
    sheet.panel(left, top, _STRIP, 10, axis(-most, most, ticks=[-most, 0, most]), hidden(0, 1))
    sheet.text(left - 16, top + 5, unit, anchor="right", tone="ink3", size=SMALL)
