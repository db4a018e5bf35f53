"""A hatched field with a dashed outline: something that was declined, or a gap that must not look empty."""

from __future__ import annotations

from typing import Any

from site_builder.svg.palette import tone
from site_builder.svg.pen import Pen, n
from site_builder.svg.scales import Scale

LAYER = 10


def takes(trace: dict[str, Any]) -> bool:
    return trace["type"] == "scatter" and trace.get("fill") == "toself" and "fillpattern" in trace


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    corners = list(zip(trace["x"], trace["y"], strict=True))
    outline = "".join(
        ("z" if a is None else f"{'M' if start else 'L'}{n(x.at(a))} {n(y.at(b))}")
        for (a, b), start in zip(corners, [True, *(a is None for a, _ in corners)], strict=False)
    )
    pen.path(f"{outline}z", "f-paper")  # gridlines end where nothing was measured
    fill = pen.hatch(tone(trace["fillpattern"]["fgcolor"]))
    line = trace["line"]
    if line["width"]:
        pen.path(
            f"{outline}z", f"l-{tone(line['color'])}", fill=fill, stroke_width=line["width"], stroke_dasharray="4 3"
        )
    else:
        pen.path(f"{outline}z", "", fill=fill)
