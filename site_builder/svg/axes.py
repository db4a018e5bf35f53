"""Gridlines, zero lines, axis lines and tick labels of every panel."""

from __future__ import annotations

from html import escape
from typing import Any

from site_builder.svg import markup
from site_builder.svg.pen import TEXT, Pen, n
from site_builder.svg.scales import Scale
from site_builder.svg.sheet import Sheet

_GAP = 8.0  # px between a panel and its tick labels
_SIZE = 12.0


def draw(sheet: Sheet, pen: Pen) -> None:
    """All axes of a sheet; `layout` says per axis what is shown, with plotly's own switches."""
    for x_name, y_name in sheet.panels():
        x, y = sheet.scales[x_name], sheet.scales[y_name]
        _axis(x_name, sheet.axes[x_name], x, y, pen)
        _axis(y_name, sheet.axes[y_name], y, x, pen)


def _axis(name: str, axis: dict[str, Any], along: Scale, across: Scale, pen: Pen) -> None:
    if axis.get("visible", True) is False:
        return
    upright = name.startswith("x")  # ticks of an x axis are vertical lines
    if axis.get("showgrid"):
        values = [value for value in along.ticks if not (axis.get("zeroline") and value == 0)]
        _lines([along.at(value) for value in values], across.px, upright, "l-hair", pen)
    if axis.get("zeroline") and along.holds(0):
        _lines([along.at(0)], across.px, upright, "l-rule", pen)
    if axis.get("showline"):
        _lines([across.px[0]], along.px, not upright, "l-rule", pen)
    if axis.get("ticklen"):
        length = axis["ticklen"]
        _lines([along.at(v) for v in along.ticks], (across.px[0], across.px[0] + length), upright, "l-rule", pen)
    if axis.get("showticklabels", True):
        _labels(name, axis, along, across, pen)


def _lines(at: list[float], span: tuple[float, float], upright: bool, classes: str, pen: Pen) -> None:
    if not at:
        return
    start, end = sorted(span)
    if upright:
        d = "".join(f"M{n(x)} {n(start)}V{n(end)}" for x in at)
    else:
        d = "".join(f"M{n(start)} {n(y)}H{n(end)}" for y in at)
    pen.path(d, classes)


def _labels(name: str, axis: dict[str, Any], along: Scale, across: Scale, pen: Pen) -> None:
    font = axis.get("tickfont", {})
    mono, size = font.get("family") == markup.MONO, font.get("size", _SIZE)
    texts = axis.get("ticktext", [along.label(value) for value in along.ticks])
    lines = [
        _label(name, axis, along.at(value), markup.Run(text, mono=mono), size, across, pen)
        for value, text in zip(along.ticks, texts, strict=True)
    ]
    if lines:
        ticks = f'tick f-ink3{" m" if mono else ""}" data-axis="{name}'
        opening = ticks if counted(axis, along) else "name f-ink2"
        own = "" if size == TEXT else f' font-size="{n(size)}"'
        end = "middle" if name.startswith("x") else "end"
        pen.add(f'<g class="{opening}" text-anchor="{end}"{own}>{"".join(lines)}</g>')


def counted(axis: dict[str, Any], along: Scale) -> bool:
    """Whether an axis prints its ticks' values; False where it names them, or shows none.

    Raises NakedNumeral where a label has digits that are not the value's own.
    """
    if axis.get("visible", True) is False or not along.ticks or not axis.get("showticklabels", True):
        return False
    values = [along.label(value) for value in along.ticks]
    texts = axis.get("ticktext", values)
    if texts == values:
        return True
    for text in texts:
        if markup.naked(text):
            raise markup.NakedNumeral(f"{text!r}: a tick with digits is printed from its value")
    return False


def _label(name: str, axis: dict[str, Any], at: float, run: markup.Run, size: float, across: Scale, pen: Pen) -> str:
    text = escape(run.text, quote=False)
    if name.startswith("x"):
        y = min(across.px) - _GAP - 4 if axis.get("side") == "top" else max(across.px) + _GAP + 4
        pen.cover(at, y, [run], "center", size)
        return f'<text x="{n(at)}" y="{n(y + 0.35 * size)}">{text}</text>'
    x = min(across.px) - _GAP
    pen.cover(x, at, [run], "right", size)
    drop = n(0.35 * size)  # apart from y, which is the tick's own place on the scale
    return f'<text x="{n(x)}" y="{n(at)}" dy="{drop}">{text}</text>'
