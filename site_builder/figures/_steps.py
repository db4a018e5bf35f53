"""Series by optimizer step: an axis of whole steps, runs of points between gaps, and the gaps as hatched fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from site_builder.figures._sheet import Panel, axis
from site_builder.svg.scales import nice

Values = Sequence[float | None]
ROWS = 12  # steps of a long series that a figure's table shows; its CSV holds all


def steps_axis(steps: Sequence[int], *, count: int = 6) -> dict[str, Any]:
    """From the first to the last step, half a step beyond; ticks on whole steps."""
    first, last = min(steps, default=0), max(steps, default=1)
    ticks = [tick for tick in nice(first, last if last > first else first + 1, count) if first <= tick <= last]
    return axis(first - 0.5, last + 0.5, ticks=[tick for tick in ticks if tick == int(tick)], line=True)


def stretches(values: Values) -> list[tuple[int, int]]:
    """First and last place of every run of points that have a value.

    >>> stretches([0.5, None, 0.1, 0.2])
    [(0, 0), (2, 3)]
    """
    found: list[tuple[int, int]] = []
    for at, value in enumerate(values):
        if value is None:
            continue
        if found and found[-1][1] == at - 1:
            found[-1] = (found[-1][0], at)
        else:
            found.append((at, at))
    return found


def line(panel: Panel, steps: Sequence[int], values: Values, **look: Any) -> None:
    """A line broken where there is no value; a point that stands alone is a dot."""
    alone = []
    for first, last in stretches(values):
        if first == last:
            alone.append(first)
        else:
            panel.line(list(steps[first : last + 1]), list(values[first : last + 1]), **look)
    if alone:
        x, y = [steps[at] for at in alone], [values[at] for at in alone]
        panel.dots(x, y, tone=look.get("tone", "ink"), size=5, flat=False)


def between(panel: Panel, steps: Sequence[int], low: Values, high: Values, **look: Any) -> None:
    """A band between two series, broken where either has no value; as wide as a step where one stands alone."""
    both = [None if a is None or b is None else a for a, b in zip(low, high, strict=True)]
    for first, last in stretches(both):
        places = [(float(steps[at]), at) for at in range(first, last + 1)]
        if first == last:
            places = [(steps[first] - 0.4, first), (steps[first] + 0.4, first)]
        up = [(x, float(high[at] or 0)) for x, at in reversed(places)]
        panel.band([*((x, float(low[at] or 0)) for x, at in places), *up], **look)


def gaps(panel: Panel, steps: Sequence[int], values: Values, top: float, *, why: str) -> bool:
    """Hatch the steps without a value from 0 to `top`; whether there were any."""
    boxes: list[tuple[float, float, float, float]] = []
    for step, value in zip(steps, values, strict=True):
        if value is not None:
            continue
        if boxes and boxes[-1][1] == step - 0.5:
            boxes[-1] = (boxes[-1][0], step + 0.5, 0.0, top)
        else:
            boxes.append((step - 0.5, step + 0.5, 0.0, top))
    if boxes:
        panel.plates(boxes, outline=False, why=why)
    return bool(boxes)


def shown(count: int, most: int = ROWS) -> list[int]:
    """Places spread evenly over a series, its ends among them; all where there are few.

    >>> shown(5), shown(100, 3)
    ([0, 1, 2, 3, 4], [0, 50, 99])
    """
    if count <= most:
        return list(range(count))
    return sorted({round(at * (count - 1) / (most - 1)) for at in range(most)})
