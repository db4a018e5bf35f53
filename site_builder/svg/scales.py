"""Axes as scales: data to px and back, tick values and tick labels.

A drawing stores its scales in `data-scale`, so that a reader of the page can recompute every tick
(`site_builder.svg.ticks`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

_PREFIXES = ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n"))


@dataclass(frozen=True)
class Scale:
    """One axis of a panel: `data` is the range (for a log axis in data units), `px` where its ends lie.

    `suffix` goes on the last tick, or on every one where `all_suffixed`.
    """

    kind: str  # linear, log
    data: tuple[float, float]
    px: tuple[float, float]
    ticks: tuple[float, ...] = ()
    format: str = ""
    suffix: str = ""
    all_suffixed: bool = False

    def at(self, value: float) -> float:
        """The px of a data value; values outside the range land outside the panel."""
        low, high = self.data
        if self.kind == "log":
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        share = (value - low) / (high - low) if high != low else 0.5  # one value alone stands in the middle
        return self.px[0] + share * (self.px[1] - self.px[0])

    def holds(self, value: float) -> bool:
        """Whether a value lies on the axis (a millionth of the range is rounding, not an excess)."""
        if self.kind == "log" and value <= 0:
            return False
        slack = abs(self.px[1] - self.px[0]) * 1e-6
        low, high = sorted(self.px)
        return low - slack <= self.at(value) <= high + slack

    def label(self, value: float) -> str:
        """The printed label of a tick."""
        last = bool(self.ticks) and value == self.ticks[-1]
        return tick_label(value, self.format, self.suffix if last or self.all_suffixed else "")

    def stored(self) -> dict[str, Any]:
        """What `data-scale` keeps of this axis."""
        kept: dict[str, Any] = {"kind": self.kind, "data": list(self.data), "px": [round(v, 2) for v in self.px]}
        if self.ticks:
            kept["ticks"] = list(self.ticks)
        if self.format:
            kept["format"] = self.format
        if self.suffix:
            kept["suffix"] = self.suffix
        if self.all_suffixed:
            kept["all_suffixed"] = True
        return kept


def restore(kept: dict[str, Any]) -> Scale:
    """The scale that `Scale.stored` wrote."""
    low, high = kept["data"]
    start, end = kept["px"]
    return Scale(
        kept["kind"],
        (low, high),
        (start, end),
        tuple(kept.get("ticks", ())),
        kept.get("format", ""),
        kept.get("suffix", ""),
        kept.get("all_suffixed", False),
    )


def tick_label(value: float, style: str = "", suffix: str = "") -> str:
    """A tick's text: thousands separated, true minus; style `~s` puts an SI prefix before the suffix.

    >>> tick_label(2500), tick_label(-0.5), tick_label(100, suffix=" %"), tick_label(0.002, "~s", "s")
    ('2,500', '−0.5', '100 %', '2 ms')
    """
    if style == "~s" and value:
        size, prefix = next((pair for pair in _PREFIXES if abs(value) >= pair[0] * 0.9999), _PREFIXES[-1])
        return f"{_plain(value / size)} {prefix}{suffix}".rstrip()
    return _plain(value) + suffix


def _plain(value: float) -> str:
    text = f"{value:,.10g}" if abs(value) >= 1e-4 or value == 0 else f"{value:.3g}"
    return text.replace("-", "−")


def nice(low: float, high: float, count: int = 4) -> list[float]:
    """At most `count` round steps that cover [low, high]; the first and last are the axis range, never one value.

    >>> nice(0, 374), nice(1, 1, 2)
    ([0.0, 100.0, 200.0, 300.0, 400.0], [1.0, 1.5])
    """
    size = max(abs(low), abs(high))
    span = high - low if high - low > 1e-9 * size else size or 1.0  # less is rounding, not a difference
    raw = span / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= raw * (1 - 1e-9))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(i * step, 12) for i in range(first, max(last, first + 1) + 1)]


def decades(low: float, high: float, most: int = 6) -> list[float]:
    """Powers of ten that lie within [low, high]; every second or third one where there are too many.

    >>> decades(3, 20000)
    [10.0, 100.0, 1000.0, 10000.0]
    """
    first, last = math.ceil(math.log10(low) - 1e-9), math.floor(math.log10(high) + 1e-9)
    stride = max(1, -(-(last - first + 1) // most))
    return [round(10.0**power, 12) if power < 0 else float(10**power) for power in range(first, last + 1, stride)]
