"""Grids of a network as heat maps: blocks by heads, blocks by positions, components by mode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lens.reading import Columns
from site_builder.figures import _heat, _terms
from site_builder.figures._heat import Heat
from site_builder.figures._readings import Reader, cell
from site_builder.figures._registry import NARROW, Width
from site_builder.figures._sheet import SMALL, Sheet, axis, measure
from site_builder.svg import Run

WIDE = 1120.0
_PITCH = (56.0, 24.0)


@dataclass
class Panel:
    """A heat map under its name; `x` are axis ticks over its columns, numbers unless `words` are given."""

    name: str
    heat: Heat
    x: tuple[float, ...] = ()
    x_words: tuple[str, ...] = ()
    y: tuple[float, ...] = ()
    y_words: tuple[str, ...] = ()


def by_head(table: Columns, rows: list[int], name: str, column: str, reader: Reader) -> Heat:
    """Blocks (row) by heads (column) of some rows of a table."""
    layers = 1 + max((table["layer"][at] for at in rows), default=0)
    heads = 1 + max((table["head"][at] for at in rows), default=0)
    heat = Heat([[None] * heads for _ in range(layers)], [[""] * heads for _ in range(layers)])
    for at in rows:
        layer, head = table["layer"][at], table["head"][at]
        heat.values[layer][head] = table[column][at]
        heat.refs[layer][head] = reader.ref(f"{name}/{at}/{column}")
    return heat


def sheet(
    reader: Reader,
    panels: list[Panel],
    width: Width,
    *,
    unit: str,
    across: str,
    up: str,
    leftward: bool = False,
) -> tuple[Sheet, float]:
    """Panels side by side where there is room, else one below the other; returns the sheet and its height."""
    made = Sheet(WIDE if width == "wide" else NARROW)
    most = _heat.largest([panel.heat for panel in panels])
    left = max([36.0, *(measure(word, SMALL) + 12 for panel in panels for word in panel.y_words)])
    columns = max(panel.heat.columns for panel in panels)
    beside = len(panels) if width == "wide" else 1
    while beside > 1 and (WIDE - beside * left - (beside - 1) * 30) / beside / columns < 11:
        beside -= 1
    last = max((measure(panel.x_words[-1], SMALL) / 2 for panel in panels if panel.x_words), default=0.0)
    room = (made.width - beside * left - (beside - 1) * 30) / beside - last / 2
    pitch = (min(_PITCH[0], room / columns), _PITCH[1])
    if pitch[0] < 24:
        pitch = (pitch[0], min(_PITCH[1], max(8.0, pitch[0])))
    top = 44.0 if panels[0].name else 34.0
    used = beside * (left + columns * pitch[0] + 30) - 30
    _heat.strip(made, most, right=max(used, 160 + measure(unit, SMALL)), top=4, unit=unit)
    bottom = top
    for at, panel in enumerate(panels):
        column = at % beside
        if column == 0 and at:
            top = bottom + 18
        bottom = max(bottom, _panel(made, reader, panel, column * (room + left + 30), top, left, pitch, most, leftward))
    sides = [f"{way}: {what}" for way, what in (("across", across), ("up", up)) if what]
    if not sides:
        return made, bottom
    made.text(0, bottom + 6, "; ".join(sides), tone="ink3", size=SMALL)
    return made, bottom + 18


def _panel(
    made: Sheet,
    reader: Reader,
    panel: Panel,
    at: float,
    top: float,
    left: float,
    pitch: tuple[float, float],
    most: float,
    leftward: bool,
) -> float:
    heat = panel.heat
    if panel.name:
        made.text(at, top + 8, Run(panel.name, bold=True))
        top += 24
    x = panel.x or tuple(ticks(heat.columns, pitch[0]))
    y = panel.y or tuple(ticks(heat.rows, pitch[1]))
    _heat.draw(
        made, reader, heat, left=at + left, top=top, pitch=pitch, most=most, leftward=leftward,
        x=_axis(x, panel.x_words), y=_axis(y, panel.y_words),
    )  # fmt: skip
    return top + heat.rows * pitch[1] + 34


def _axis(at: tuple[float, ...], words: tuple[str, ...]) -> dict[str, Any]:
    return axis(-0.5, 0.5, ticks=at, words=words)


def ticks(count: int, pitch: float) -> list[float]:
    """Whole numbers from 0, as many as have room."""
    step = next(step for step in (1, 2, 4, 8, 16, 32, 64) if step * pitch >= 22 or step == 64)
    return [float(at) for at in range(0, count, step)]


def table(reader: Reader, columns: Columns, rows: list[int], name: str, column: str, unit: str) -> dict[str, object]:
    """One row a site: its name, value and interval."""
    made = []
    for at in rows:
        ref = f"{name}/{at}/{column}"
        low = columns.get("low", [None] * (at + 1))[at] if column in ("part", "effect") else None
        made.append(
            [
                cell(_terms.site(columns["site"][at])),
                cell(reader.number(ref)),
                cell(reader.number(ref, "interval") if low is not None else ""),
            ]
        )
    return {"columns": ["site", unit, "interval"], "rows": made}
