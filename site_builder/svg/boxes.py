"""What a drawing covers, and what may not meet: text and text, text and an interval, text and the edge."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Literal

_SLACK = 0.5  # px two boxes may share before a reader would see it
_SMALLEST = 12.0


@dataclass(frozen=True)
class Box:
    """A rectangle on the drawing in px. `what` names it in a message; `size` is a text's font size."""

    x0: float
    y0: float
    x1: float
    y1: float
    kind: Literal["text", "interval"]
    what: str
    size: float = _SMALLEST

    def meets(self, other: Box) -> bool:
        return (
            min(self.x1, other.x1) - max(self.x0, other.x0) > _SLACK
            and min(self.y1, other.y1) - max(self.y0, other.y0) > _SLACK
        )


def problems(boxes: list[Box], width: float, height: float) -> list[str]:
    """Every overlap and overflow among `boxes` on a drawing of width × height px, as sentences."""
    texts = [box for box in boxes if box.kind == "text"]
    intervals = [box for box in boxes if box.kind == "interval"]
    found = [f"{a.what!r} overlaps {b.what!r}" for a, b in combinations(texts, 2) if a.meets(b)]
    found += [f"{text.what!r} crosses an interval" for text in texts for mark in intervals if text.meets(mark)]
    found += [
        f"{box.what!r} leaves the drawing: {box.x0:.0f}..{box.x1:.0f} × {box.y0:.0f}..{box.y1:.0f}"
        for box in texts
        if box.x0 < -_SLACK or box.x1 > width + _SLACK or box.y0 < -_SLACK or box.y1 > height + _SLACK
    ]
    found += [f"{box.what!r} is set in {box.size} px" for box in texts if box.size < _SMALLEST]
    return found
