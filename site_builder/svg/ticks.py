"""Ticks recomputed from what a drawing stores: used by the read-back of the built pages."""

from __future__ import annotations

import json
from functools import lru_cache

from site_builder.svg.scales import Scale, restore

_PLACE = 0.02  # px; coordinates are printed with two decimals


def wrong(stored: str, axis: str, at: float, text: str) -> str:
    """What is wrong with a tick: the label `text` at `at` px on `axis` of a drawing whose `data-scale` is `stored`.

    Empty where the label is the one that scale gives at that place.

    >>> scale = '{"x":{"kind":"linear","data":[0,100],"px":[171,323],"ticks":[0,50,100],"suffix":" %"}}'
    >>> wrong(scale, "x", 247, "50"), wrong(scale, "x", 323, "100 %")
    ('', '')
    >>> wrong(scale, "x", 247, "60")
    "the tick at 247 on x is 50, not '60'"
    """
    scales = _scales(stored)
    if axis not in scales:
        return f"the drawing stores no scale for {axis}"
    scale = scales[axis]
    near = [value for value in scale.ticks if abs(scale.at(value) - at) <= _PLACE]
    if not near:
        return f"{axis} has no tick at {at:g}"
    label = scale.label(near[0])
    return "" if label == text else f"the tick at {at:g} on {axis} is {label}, not {text!r}"


@lru_cache(maxsize=64)
def _scales(stored: str) -> dict[str, Scale]:
    return {axis: restore(kept) for axis, kept in json.loads(stored).items()}
