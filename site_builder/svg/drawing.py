"""A spec drawn: the whole order of it, from the ground up."""

from __future__ import annotations

import json
from dataclasses import dataclass
from html import escape
from typing import Any

from site_builder.svg import axes, markup
from site_builder.svg.boxes import Box, problems
from site_builder.svg.marks import line, marks_of
from site_builder.svg.palette import tone
from site_builder.svg.pen import Pen, n
from site_builder.svg.sheet import Sheet, Spec


@dataclass(frozen=True)
class Drawing:
    """An `<svg>` element and the boxes of everything a reader must be able to tell apart in it."""

    svg: str
    width: float
    height: float
    boxes: tuple[Box, ...]

    @property
    def problems(self) -> list[str]:
        """Overlaps, overflows and small print, by estimate; a test measures them in a browser too."""
        return problems(list(self.boxes), self.width, self.height)


def drawing(spec: Spec, *, prefix: str) -> Drawing:
    """Draw a spec at 1:1. `prefix` starts every id and must be unique on the page.

    Raises NakedNumeral for a digit with no evidence behind it, ValueError for what no mark can draw.
    """
    sheet, pen = Sheet(spec), Pen(prefix)
    axes.draw(sheet, pen)
    for shape in sheet.layout.get("shapes", ()):
        _rule(shape, pen)
    todo = [(mark, trace) for trace in spec["data"] for mark in marks_of(trace)]
    for mark, trace in sorted(todo, key=lambda pair: pair[0].LAYER):
        mark.draw(trace, *sheet.frame(trace), pen)
    meta = sheet.layout["meta"]
    for annotation in sheet.layout.get("annotations", ()):
        _label(annotation, meta["cites"].get(annotation["name"], []), pen)
    return Drawing(_element(sheet, pen, meta), sheet.width, sheet.height, tuple(pen.boxes))


def _rule(shape: dict[str, Any], pen: Pen) -> None:
    """A line between two points given in px from the top left corner."""
    stroke = shape["line"]
    d = f"M{n(shape['x0'])} {n(-shape['y0'])}L{n(shape['x1'])} {n(-shape['y1'])}"
    pen.path(d, line.classes(stroke), **line.strokes(stroke.get("dash", "solid"), stroke.get("width", 1)))


def _label(annotation: dict[str, Any], cites: list[list[str]], pen: Pen) -> None:
    """A line of text, on a plate of paper where it stands on hatching."""
    runs = markup.parse(annotation["text"], cites)
    x, y = annotation["xshift"], -annotation["yshift"]
    anchor, font = annotation["xanchor"], annotation["font"]
    if "bgcolor" in annotation:
        wide, tall = markup.width(runs, font["size"]) + 12, font["size"] + 6
        left = x - {"left": 6, "center": wide / 2, "right": wide - 6}[anchor]
        pen.add(
            f'<rect class="f-{tone(annotation["bgcolor"])}" x="{n(left)}" y="{n(y - tall / 2)}" '
            f'width="{n(wide)}" height="{n(tall)}"/>'
        )
    pen.text(x, y, runs, anchor=anchor, size=font["size"], tone=tone(font["color"]))


def _element(sheet: Sheet, pen: Pen, meta: dict[str, Any]) -> str:
    for key in ("title", "desc"):
        if word := markup.naked(meta[key]):
            raise markup.NakedNumeral(f"{word!r} in a drawing's {key}: {meta[key]!r}")
    scales = {name: scale.stored() for name, scale in sheet.scales.items() if axes.counted(sheet.axes[name], scale)}
    stored = escape(json.dumps(scales, ensure_ascii=False, separators=(",", ":")), quote=False).replace("'", "&#x27;")
    size = f'width="{n(sheet.width)}" height="{n(sheet.height)}"'
    return (
        f'<svg class="drawing" role="img" aria-labelledby="{pen.prefix}-t {pen.prefix}-d" {size} '
        f"viewBox=\"0 0 {n(sheet.width)} {n(sheet.height)}\" data-scale='{stored}'>"
        f'<title id="{pen.prefix}-t">{escape(meta["title"])}</title><desc id="{pen.prefix}-d">{escape(meta["desc"])}'
        f"</desc>{pen.defs}{''.join(pen.elements)}</svg>"
    )
