"""A figure's spec (plotly JSON) -> a static, titled, deterministic SVG that follows the page's theme.

`draw` is the one door. What a spec may hold is the part of plotly the marks know: scatter traces (markers, lines,
filled fields, with error bars), heatmaps of small squares, linear and log axes, pixel-placed
annotations and lines. Colours are the palette's light values and become class names.
"""

from __future__ import annotations

from site_builder.svg.drawing import Drawing, drawing
from site_builder.svg.markup import NakedNumeral, Run
from site_builder.svg.sheet import Spec


def draw(spec: Spec, *, prefix: str) -> str:
    """The `<svg>` element of a spec. `prefix` starts its ids; see `drawing` for what it raises."""
    return drawing(spec, prefix=prefix).svg


__all__ = ["Drawing", "NakedNumeral", "Run", "Spec", "draw", "drawing"]
