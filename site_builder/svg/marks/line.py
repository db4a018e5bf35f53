"""Lines: solid, dashed, or round dots (a reported interval, a schematic curve). Null values break a line."""

from __future__ import annotations

from typing import Any

from site_builder.svg import trail
from site_builder.svg.palette import tone
from site_builder.svg.pen import Pen, n
from site_builder.svg.scales import Scale

LAYER = 30


def takes(trace: dict[str, Any]) -> bool:
    return trace["type"] == "scatter" and "lines" in trace["mode"] and trace.get("fill", "none") == "none"


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    points = list(zip(trace["x"], trace["y"], strict=True))
    d = trail.line([(None if a is None else x.at(a), None if b is None else y.at(b)) for a, b in points])
    line = trace["line"]
    width = line.get("width", 1.5)
    pen.path(d, classes(line), **strokes(line.get("dash", "solid"), width))
    if trace.get("name") == "interval":
        (a0, b0), (a1, b1) = points[0], points[-1]
        pen.interval(x.at(a0), y.at(b0), x.at(a1), y.at(b1), "interval")


def classes(line: dict[str, Any]) -> str:
    """Class names of a stroke."""
    return f"l-{tone(line['color'])}" + (" round" if line.get("dash") == "dot" else "")


def strokes(dash: str, width: float) -> dict[str, Any]:
    """Presentation attributes of a stroke."""
    dashes = {"dot": f"0 {n(2.5 * width)}", "dash": "4 3", "solid": ""}[dash]
    return {"stroke_width": width, **({"stroke_dasharray": dashes} if dashes else {})}
