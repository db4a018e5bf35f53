"""A heat map in two colours on either side of zero: one path a colour and step, so that it follows the theme.

A cell's colour is washed out by its distance from the largest value, in steps; a negative cell whose value doesn't
stand in it (`customdata`) carries a small bar, so that its sign is told in grey. Cells without gaps between them are a
scale, and need none. A cell without a value is left to what lies below it.
"""

from __future__ import annotations

from typing import Any

from site_builder.svg.palette import Tone, tone
from site_builder.svg.pen import Pen, n
from site_builder.svg.scales import Scale

LAYER = 15
STEPS = 10
_FULL = 0.62  # opacity of the largest value: text in ink stays legible on it, on paper and in the dark
_BAR = 7.0


def takes(trace: dict[str, Any]) -> bool:
    return bool(trace["type"] == "heatmap" and len(trace["colorscale"]) == 3)


def draw(trace: dict[str, Any], x: Scale, y: Scale, pen: Pen) -> None:
    wide, tall = abs(x.at(1) - x.at(0)), abs(y.at(1) - y.at(0))
    across, down = trace["xgap"], trace["ygap"]
    most = trace["zmax"]
    found: dict[tuple[Tone, int], list[str]] = {}
    bars = []
    signs = {sign: tone(trace["colorscale"][at][1]) for sign, at in ((-1, 0), (1, 2))}
    for row, values in enumerate(trace["z"]):
        for column, value in enumerate(values):
            if value is None:
                continue
            left, top = x.at(column) - wide / 2 + across / 2, y.at(row) - tall / 2 + down / 2
            step = round(abs(value) / most * STEPS) if most else 0
            corner = f"M{n(left)} {n(top)}h{n(wide - across)}v{n(tall - down)}h{n(across - wide)}z"
            found.setdefault((signs[-1 if value < 0 else 1] if step else "paper", step), []).append(corner)
            if step and value < 0 and across and not trace["customdata"][row][column]:
                bars.append(f"M{n(x.at(column) - _BAR / 2)} {n(y.at(row))}h{n(min(_BAR, wide - across - 2))}")
    for (colour, step), corners in sorted(found.items(), key=lambda item: item[0][1]):
        pen.path("".join(corners), f"f-{colour}", **({"fill_opacity": _FULL * step / STEPS} if step else {}))
    edges = "".join(corner for corners in found.values() for corner in corners)
    if edges:
        pen.path(edges, "l-hair")
    if bars:
        pen.path("".join(bars), "l-ink", stroke_width=1.5)
