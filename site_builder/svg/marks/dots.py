"""Markers: discs, open discs, squares, and the tick that makes a measured zero visible. One trace, one path.

A point outside its axis is drawn as an arrowhead at the edge; the figure prints its value beside it.
"""

from __future__ import annotations

from typing import Any

from site_builder.svg import trail
from site_builder.svg.palette import tone
from site_builder.svg.pen import Pen, n
from site_builder.svg.scales import Scale

LAYER = 50
_HEAD = 5.0


def takes(trace: dict[str, Any]) -> bool:
    return trace["type"] == "scatter" and "markers" in trace["mode"]


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    marker = trace["marker"]
    colour, size = tone(marker["color"]), marker["size"]
    points: list[tuple[float, float]] = []
    for a, b in zip(trace["x"], trace["y"], strict=True):
        if a is None or b is None:
            continue
        if not x.holds(a):
            edge = x.px[0] if a < min(x.data) else x.px[1]
            arrow(edge, y.at(b), True, edge == x.px[1], colour, pen)
        elif not y.holds(b):
            edge = y.px[0] if b < min(y.data) else y.px[1]
            arrow(edge, x.at(a), False, edge == max(y.px), colour, pen)
        else:
            points.append((x.at(a), y.at(b)))
    if points:
        _SYMBOLS[marker.get("symbol", "circle")](points, size, colour, pen)


def arrow(edge: float, across: float, flat: bool, forward: bool, colour: str, pen: Pen) -> None:
    """An arrowhead at the edge of an axis, pointing off it."""
    along = -_HEAD if forward else _HEAD
    if flat:
        pen.path(f"M{n(edge)} {n(across)}l{n(along)} -4v8z", f"f-{colour}")
    else:
        pen.path(f"M{n(across)} {n(edge)}l-4 {n(along)}h8z", f"f-{colour}")


def _discs(points: list[tuple[float, float]], size: float, colour: str, pen: Pen) -> None:
    pen.path(trail.dots(points), f"l-{colour} round", stroke_width=size)


def _open_discs(points: list[tuple[float, float]], size: float, colour: str, pen: Pen) -> None:
    _discs(points, size, colour, pen)
    _discs(points, size - 3, "paper", pen)


def _squares(points: list[tuple[float, float]], size: float, colour: str, pen: Pen) -> None:
    half = size / 2
    d = "".join(f"M{n(x - half)} {n(y)}h{n(size)}" for x, y in points)
    pen.path(d, f"l-{colour}", stroke_width=size)


def _frames(points: list[tuple[float, float]], size: float, colour: str, pen: Pen, dash: str = "") -> None:
    side = size - 1
    d = "".join(f"M{n(x - side / 2)} {n(y - side / 2)}h{n(side)}v{n(side)}h-{n(side)}z" for x, y in points)
    pen.path(d, f"l-{colour}", **({"stroke_dasharray": dash} if dash else {}))


def _dotted_frames(points: list[tuple[float, float]], size: float, colour: str, pen: Pen) -> None:
    _frames(points, size, colour, pen, "1 1")


def _ticks(points: list[tuple[float, float]], size: float, colour: str, pen: Pen) -> None:
    d = "".join(f"M{n(x)} {n(y - size / 2)}v{n(size)}" for x, y in points)
    pen.path(d, f"l-{colour}", stroke_width=2)


def _triangles(forward: float) -> Any:
    def draw(points: list[tuple[float, float]], size: float, colour: str, pen: Pen) -> None:
        half = size / 2
        d = "".join(f"M{n(x + forward * half)} {n(y)}l{n(-forward * size)} {n(-half)}v{n(size)}z" for x, y in points)
        pen.path(d, f"f-{colour}")

    return draw


_SYMBOLS = {
    "circle": _discs,
    "circle-open": _open_discs,
    "square": _squares,
    "square-open": _frames,
    "square-open-dot": _dotted_frames,
    "line-ns": _ticks,
    "triangle-left": _triangles(-1),
    "triangle-right": _triangles(1),
}
