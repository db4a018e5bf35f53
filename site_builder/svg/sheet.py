"""A spec's axes as scales on a drawing of width × height px."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from site_builder.svg.scales import Scale

Spec = dict[str, Any]


class Sheet:
    """The layout of a spec: its size, and the scale of each axis (`x`, `y`, `x2`, …) by plotly's short name."""

    def __init__(self, spec: Spec) -> None:
        self.layout: dict[str, Any] = spec["layout"]
        self.width: float = self.layout["width"]
        self.height: float = self.layout["height"]
        self.axes = {
            key.replace("axis", "", 1): axis
            for key, axis in self.layout.items()
            if key.startswith(("xaxis", "yaxis")) and isinstance(axis, dict)
        }
        self.scales = {name: self._scale(name, axis) for name, axis in self.axes.items()}

    def _scale(self, name: str, axis: dict[str, Any]) -> Scale:
        low, high = axis.get("domain", (0.0, 1.0))
        if name.startswith("x"):
            px = (low * self.width, high * self.width)
        else:
            px = ((1 - low) * self.height, (1 - high) * self.height)
        start, end = axis["range"]
        kind = axis.get("type", "linear")
        if kind == "log":  # plotly keeps a log axis' range as exponents
            start, end = 10.0**start, 10.0**end
        return Scale(
            kind,
            (start, end),
            px,
            tuple(axis.get("tickvals", ())),
            axis.get("tickformat", ""),
            axis.get("ticksuffix", ""),
            axis.get("showticksuffix", "all") == "all" and bool(axis.get("ticksuffix")),
        )

    def frame(self, trace: dict[str, Any]) -> tuple[Scale, Scale]:
        """The two scales a trace is drawn on."""
        return self.scales[trace.get("xaxis", "x")], self.scales[trace.get("yaxis", "y")]

    def panels(self) -> Iterator[tuple[str, str]]:
        """Each pair of axes that belong together: every axis is paired with the one it is anchored to."""
        for name, axis in self.axes.items():
            if name.startswith("x"):
                yield name, axis.get("anchor", name.replace("x", "y"))
