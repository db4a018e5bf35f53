"""Intervals side by side, each less what it should hold: in order of their middles, those that leave it out in colour.

The axis takes all of them, but for a few ends that alone would double it: such a line ends in an arrowhead.
"""

from __future__ import annotations

from collections.abc import Sequence

from site_builder.figures._sheet import Panel
from site_builder.svg.palette import Tone
from site_builder.svg.scales import nice

Ends = tuple[float, float]
_FEW = 50  # one end in so many may lie beyond the axis
_ENOUGH = 8  # ends; of fewer all are shown


def ticks(every: Sequence[Ends]) -> list[float]:
    """Of the axis. `every` may not be empty."""
    ends = sorted(end for pair in every for end in pair)
    few = max(1, len(ends) // _FEW) if len(ends) >= _ENOUGH else 0
    least, most = ends[few], ends[-1 - few]
    whole = ends[-1] - ends[0] <= 2 * (most - least)
    return nice(ends[0], ends[-1], 4) if whole else nice(least, most, 4)


def reaches_beyond(every: Sequence[Ends]) -> bool:
    """Whether any of them goes on beyond the axis."""
    reach = ticks(every)
    return any(end != _kept(end, reach) for pair in every for end in pair)


def draw(panel: Panel, columns: Sequence[Sequence[Ends]], reach: Sequence[float]) -> None:
    """Upright lines, a column a unit of x; those that leave zero out stand in front."""
    paths: dict[bool, list[list[tuple[float, float]]]] = {True: [], False: []}
    beyond: list[tuple[float, float]] = []
    for at, some in enumerate(columns):
        for place, (low, high) in enumerate(some):
            x = at + 0.05 + 0.9 * (place + 0.5) / len(some)
            kept = [(x, _kept(end, reach)) for end in (low, high)]
            beyond += [(x, end) for end, (_, inside) in zip((low, high), kept, strict=True) if end != inside]
            paths[low <= 0 <= high].append(kept)
    styles: tuple[tuple[bool, Tone, float], ...] = ((True, "hatch", 1.0), (False, "s2", 1.75))
    for holds, tone, width in styles:
        if paths[holds]:
            panel.lines(paths[holds], tone=tone, width=width)
    if beyond:
        panel.dots([x for x, _ in beyond], [end for _, end in beyond], tone="ink3", flat=False)


def _kept(end: float, reach: Sequence[float]) -> float:
    """An end, or the axis' own where it lies beyond; less than a billionth of the axis is rounding."""
    slack = 1e-9 * (reach[-1] - reach[0])
    return end if reach[0] - slack <= end <= reach[-1] + slack else min(max(end, reach[0]), reach[-1])
