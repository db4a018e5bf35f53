"""Intervals: error bars of measured points, and dotted lines (a trace named `interval`) of reported ones.

An end outside the axis is not cut in silence: the bar stops at the edge with an arrowhead.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from site_builder.svg import trail
from site_builder.svg.marks.dots import arrow
from site_builder.svg.palette import tone
from site_builder.svg.pen import Pen
from site_builder.svg.scales import Scale

LAYER = 40


def takes(trace: dict[str, Any]) -> bool:
    return "error_x" in trace or "error_y" in trace


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    for flat, bars in ((True, trace.get("error_x")), (False, trace.get("error_y"))):
        if not bars:
            continue
        colour = tone(bars.get("color") or trace["marker"]["color"])
        ends: list[tuple[float | None, float | None]] = []
        for low, high, at in _ends(trace, bars, flat):
            along, across = (x, y) if flat else (y, x)
            a, b = (_inside(along, end, flat, across.at(at), colour, pen) for end in (low, high))
            if a == b:
                continue
            c = across.at(at)
            ends += [(a, c), (b, c), (None, None)] if flat else [(c, a), (c, b), (None, None)]
            pen.interval(*((a, c, b, c) if flat else (c, a, c, b)), what=trace.get("name", ""))
        if ends:
            pen.path(trail.line(ends), f"l-{colour}", stroke_width=bars.get("thickness", 2))


def _ends(trace: dict[str, Any], bars: dict[str, Any], flat: bool) -> Iterator[tuple[float, float, float]]:
    """(low, high, position across) of each bar with a length."""
    along, across = (trace["x"], trace["y"]) if flat else (trace["y"], trace["x"])
    up, down = bars["array"], bars.get("arrayminus", bars["array"])
    for value, at, plus, minus in zip(along, across, up, down, strict=True):
        if plus is not None and minus is not None and (plus or minus):
            yield value - minus, value + plus, at


def _inside(along: Scale, end: float, flat: bool, across: float, colour: str, pen: Pen) -> float:
    """The px of an end, or of the axis' edge with an arrowhead where the end lies beyond it."""
    if along.holds(end):
        return along.at(end)
    beyond_low = (along.kind == "log" and end <= 0) or (end < min(along.data))
    edge = along.px[along.data.index((min if beyond_low else max)(along.data))]
    other = along.px[1] if edge == along.px[0] else along.px[0]
    arrow(edge, across, flat, edge > other, colour, pen)
    return edge
