"""A hatched field with a dashed outline: something that was declined, or a gap that must not look empty."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from site_builder.svg.palette import tone
from site_builder.svg.pen import Pen
from site_builder.svg.scales import Scale
from site_builder.svg.trail import line as trail

LAYER = 10


def takes(trace: dict[str, Any]) -> bool:
    return trace["type"] == "scatter" and trace.get("fill") == "toself" and "fillpattern" in trace


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    fill = pen.hatch(tone(trace["fillpattern"]["fgcolor"]))
    line = trace["line"]
    outlines = "".join(_outlines(trace, x, y))
    if not line["width"]:
        pen.path(outlines, "", fill=fill)
        return
    pen.path(outlines, "f-paper")  # gridlines end where nothing was measured
    pen.path(outlines, f"l-{tone(line['color'])}", fill=fill, stroke_width=line["width"], stroke_dasharray="4 3")


def _outlines(trace: dict[str, Any], x: Scale, y: Scale) -> Iterator[str]:
    """One closed outline a field; null values part them."""
    corners: list[tuple[float | None, float | None]] = []
    for a, b in [*zip(trace["x"], trace["y"], strict=True), (None, None)]:
        if a is not None and b is not None:
            corners.append((x.at(a), y.at(b)))
        elif corners:
            yield f"{trail(corners[:-1] if corners[-1] == corners[0] else corners)}z"
            corners = []
