"""What marks draw with: elements in order, the patterns they need, and the boxes they cover."""

from __future__ import annotations

from html import escape
from typing import Any

from site_builder.svg import markup
from site_builder.svg.boxes import Box
from site_builder.svg.palette import Tone

TEXT = 12.5  # px, the size the stylesheet gives a drawing's text
_ANCHOR = {"left": "", "center": ' text-anchor="middle"', "right": ' text-anchor="end"'}
_BASELINE = 0.35  # of the font size, from the middle of a line down to its baseline

_PATTERNS = {
    "hatch": (7.0, '<path class="l-hatch" stroke-width="1.25" d="M0 0V7"/>', ' patternTransform="rotate(45)"'),
    "hatch-ink": (7.0, '<path class="l-ink2" stroke-width="1.25" d="M0 0V7"/>', ' patternTransform="rotate(45)"'),
}


def n(value: float) -> str:
    """A coordinate: at most two decimals, none where they would be zero.

    >>> n(12.0), n(3.14159), n(-0.001)
    ('12', '3.14', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


class Pen:
    """Collects a drawing. Ids start with `prefix`, which is unique on its page."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.elements: list[str] = []
        self.boxes: list[Box] = []
        self._patterns: dict[str, str] = {}

    def add(self, element: str) -> None:
        self.elements.append(element)

    def path(self, d: str, classes: str, **attributes: Any) -> None:
        """A path; attribute names take `_` for `-`, numbers are rounded to two decimals."""
        extra = "".join(
            f' {name.replace("_", "-")}="{n(value) if isinstance(value, int | float) else escape(value)}"'
            for name, value in attributes.items()
        )
        self.add(f'<path class="{classes}"{extra} d="{d}"/>')

    def hatch(self, tone: Tone = "hatch") -> str:
        """The `fill` of a hatched field."""
        name = "hatch" if tone == "hatch" else "hatch-ink"
        size, content, extra = _PATTERNS[name]
        return self.pattern(name, size, size, content, extra)

    def pattern(self, name: str, width: float, height: float, content: str, extra: str = "") -> str:
        key = f"{self.prefix}-{name}"
        self._patterns[key] = (
            f'<pattern id="{key}" width="{n(width)}" height="{n(height)}" patternUnits="userSpaceOnUse"{extra}>'
            f"{content}</pattern>"
        )
        return f"url(#{key})"

    def text(
        self,
        x: float,
        y: float,
        runs: list[markup.Run],
        *,
        anchor: str = "left",
        size: float = TEXT,
        tone: Tone = "ink",
    ) -> Box:
        """One line of text whose middle lies at height y; returns the box it may cover."""
        own = "" if size == TEXT else f' font-size="{n(size)}"'
        self.add(
            f'<text class="f-{tone}" x="{n(x)}" y="{n(y + _BASELINE * size)}"{_ANCHOR[anchor]}{own}>'
            f"{markup.tspans(runs)}</text>"
        )
        return self.cover(x, y, runs, anchor, size)

    def cover(self, x: float, y: float, runs: list[markup.Run], anchor: str, size: float) -> Box:
        """Note the box of a line of text."""
        wide = markup.width(runs, size)
        left = x - {"left": 0.0, "center": wide / 2, "right": wide}[anchor]
        what = "".join(run.text for run in runs)
        box = Box(left, y - 0.46 * size, left + wide, y + 0.46 * size, "text", what, size)
        self.boxes.append(box)
        return box

    def interval(self, x0: float, y0: float, x1: float, y1: float, what: str) -> None:
        """Note the box of a mark's interval, from end to end."""
        half = 1.0
        left, right, top, bottom = min(x0, x1), max(x0, x1), min(y0, y1), max(y0, y1)
        self.boxes.append(Box(left - half, top - half, right + half, bottom + half, "interval", what))

    @property
    def defs(self) -> str:
        return f"<defs>{''.join(self._patterns.values())}</defs>" if self._patterns else ""
