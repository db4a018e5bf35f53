"""A filled field without a pattern: the band of a reference, an onset, a spread."""

from __future__ import annotations

from typing import Any

from site_builder.svg import trail
from site_builder.svg.palette import tone
from site_builder.svg.pen import Pen
from site_builder.svg.scales import Scale

LAYER = 0


def takes(trace: dict[str, Any]) -> bool:
    return trace["type"] == "scatter" and trace.get("fill") == "toself" and "fillpattern" not in trace


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    outline = trail.line([(x.at(a), y.at(b)) for a, b in zip(trace["x"], trace["y"], strict=True)])
    opacity = {"fill_opacity": trace["opacity"]} if "opacity" in trace else {}
    pen.path(f"{outline}z", f"f-{tone(trace['fillcolor'])}", **opacity)
