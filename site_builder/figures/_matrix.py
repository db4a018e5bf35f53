"""A square matrix of correlations or cosines between named things: a heat map from −1 to 1 with values in its cells."""

from __future__ import annotations

from site_builder.figures import _heat, _terms
from site_builder.figures._heat import Heat
from site_builder.figures._readings import Reader
from site_builder.figures._registry import NARROW, Width
from site_builder.figures._sheet import SMALL, Sheet, measure
from site_builder.svg import Run

MEDIUM = 690.0
_TALL = 26.0
_STRIP = 30.0


def draw(reader: Reader, names: list[str], heat: Heat, width: Width, *, unit: str) -> tuple[Sheet, float]:
    """Names down the left; the columns carry letters, since names would not fit. Returns the sheet and its height."""
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    count = len(names)
    letters = [
        chr(ord("A") + at) if at < 26 else f"{chr(ord('A') + at // 26 - 1)}{chr(65 + at % 26)}" for at in range(count)
    ]
    room = 0.45 * sheet.width
    told = [_terms.shortened(f"{letter}  {name}", room, SMALL) for letter, name in zip(letters, names, strict=True)]
    left = max((measure(name, SMALL) for name in told), default=0.0) + 12
    pitch = min(54.0, (sheet.width - left) / max(1, count))
    tall = _TALL if pitch > 20 else max(14.0, pitch)
    top = _STRIP + 26
    _heat.strip(sheet, 1.0, right=max(left + count * pitch, 160 + measure(unit, SMALL)), top=2, unit=unit)
    for at, letter in enumerate(letters):
        sheet.text(left + (at + 0.5) * pitch, top - 10, Run(letter), anchor="center", size=SMALL, tone="ink3")
        sheet.text(left - 12, top + (at + 0.5) * tall, told[at], anchor="right", size=SMALL, tone="ink2")
    _heat.draw(sheet, reader, heat, left=left, top=top, pitch=(pitch, tall), most=1.0, upward=False)
    return sheet, top + count * tall + 8


def empty(count: int) -> Heat:
    return Heat([[None] * count for _ in range(count)], [[""] * count for _ in range(count)])
