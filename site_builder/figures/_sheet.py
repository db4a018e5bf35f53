"""Building a spec: text and rules placed in px on a sheet, panels with scales, marks on panels.

Everything ends as plotly JSON; the sheet's margins are zero, so a px on the sheet is a px in plotly too.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, Literal

from site_builder.svg import Run, Spec
from site_builder.svg.markup import MONO, source, width
from site_builder.svg.palette import LIGHT, Tone
from site_builder.svg.scales import tick_label

Line = str | Run | Sequence[Run]
Numbers = Sequence[float | None]
TEXT = 12.5
SMALL = 12.0


def runs(line: Line) -> list[Run]:
    """A line of text as runs."""
    if isinstance(line, str):
        return [Run(line)]
    return [line] if isinstance(line, Run) else list(line)


def measure(line: Line, size: float = TEXT) -> float:
    """An upper estimate of a line's width in px."""
    return width(runs(line), size)


class Panel:
    """A pair of axes on a rectangle of the sheet. Values are data; see `Sheet.panel`."""

    def __init__(self, sheet: Sheet, number: int) -> None:
        self.sheet = sheet
        tail = "" if number == 1 else str(number)
        self.x, self.y = f"x{tail}", f"y{tail}"

    def add(self, **trace: Any) -> None:
        self.sheet.data.append(
            {"type": "scatter", "xaxis": self.x, "yaxis": self.y, "showlegend": False, "cliponaxis": False, **trace}
        )

    def dots(
        self,
        x: Numbers,
        y: Numbers,
        *,
        tone: Tone = "ink",
        symbol: str = "circle",
        size: float = 8,
        low: Numbers | None = None,
        high: Numbers | None = None,
        flat: bool = True,
        refs: Sequence[str] = (),
        words: Sequence[str] = (),
    ) -> None:
        """Markers, each with the interval [low, high] along x (`flat`) or y, its evidence and its name."""
        bars: dict[str, Any] = {}
        if low is not None and high is not None:
            along = x if flat else y
            bars["error_x" if flat else "error_y"] = {
                "type": "data",
                "symmetric": False,
                "array": [_less(end, value) for end, value in zip(high, along, strict=True)],
                "arrayminus": [_less(value, end) for value, end in zip(along, low, strict=True)],
                "color": LIGHT[tone],
                "thickness": 2,
                "width": 0,
            }
        extra: dict[str, Any] = {"customdata": list(refs)} if refs else {}
        if words:
            extra |= {"text": list(words), "hoverinfo": "text+x" if flat else "text+y"}
        marker = {"color": LIGHT[tone], "size": size, "symbol": symbol}
        self.add(mode="markers", x=list(x), y=list(y), marker=marker, **bars, **extra)

    def zero(self, x: float, y: float) -> None:
        """The tick through the axis that makes a measured zero a mark; its dot is drawn by `dots`."""
        marker = {"color": LIGHT["ink"], "size": 14, "symbol": "line-ns", "line": {"color": LIGHT["ink"], "width": 2}}
        self.add(mode="markers", x=[x], y=[y], marker=marker, hoverinfo="skip")

    def line(
        self, x: Numbers, y: Numbers, *, tone: Tone = "ink", width: float = 1.5, dash: str = "solid", name: str = ""
    ) -> None:
        line = {"color": LIGHT[tone], "width": width, "dash": dash}
        self.add(mode="lines", x=list(x), y=list(y), line=line, **({"name": name} if name else {}))

    def lines(self, paths: Sequence[Sequence[tuple[float, float]]], *, tone: Tone = "ink", width: float = 1.5) -> None:
        """Several lines in one trace."""
        x: list[float | None] = []
        y: list[float | None] = []
        for path in paths:
            x += [None] * bool(x) + [a for a, _ in path]
            y += [None] * bool(y) + [b for _, b in path]
        self.line(x, y, tone=tone, width=width)

    def band(self, corners: Sequence[tuple[float, float]], *, tone: Tone = "band") -> None:
        x, y = [a for a, _ in corners], [b for _, b in corners]
        self.add(mode="none", x=x, y=y, fill="toself", fillcolor=LIGHT[tone], hoverinfo="skip")

    def plate(self, x0: float, x1: float, y0: float, y1: float, *, why: str = "") -> None:
        """A hatched field with a dashed outline: what was declined."""
        self.plates([(x0, x1, y0, y1)], why=why)

    def plates(
        self,
        boxes: Sequence[tuple[float, float, float, float]],
        *,
        outline: bool = True,
        tone: Tone = "hatch",
        why: str = "",
    ) -> None:
        """Hatched fields (x0, x1, y0, y1): what was declined, or what was never reached."""
        x: list[float | None] = []
        y: list[float | None] = []
        for x0, x1, y0, y1 in boxes:
            x += [None] * bool(x) + [x0, x1, x1, x0, x0]
            y += [None] * bool(y) + [y0, y0, y1, y1, y0]
        self.add(
            mode="lines",
            x=x,
            y=y,
            line={"color": LIGHT["ink2"], "width": 1.5 if outline else 0, "dash": "dash"},
            fill="toself",
            fillpattern={"shape": "/", "fgcolor": LIGHT[tone], "bgcolor": LIGHT["paper"], "size": 7, "solidity": 0.2},
            hoverinfo="text" if why else "skip",
            **({"text": why} if why else {}),
        )

    def lattice(self, z: list[list[int | None]], *, gap: float = 1, words: list[list[str]] | None = None) -> None:
        """Small squares: 1 filled, 0 outlined, None absent; row 0 and column 0 at the top left."""
        trace: dict[str, Any] = {
            "type": "heatmap",
            "z": z,
            "zmin": 0,
            "zmax": 1,
            "xgap": gap,
            "ygap": gap,
            "showscale": False,
            "colorscale": [[0, LIGHT["cell"]], [1, LIGHT["ink"]]],
            "hoverinfo": "text" if words else "skip",
            "xaxis": self.x,
            "yaxis": self.y,
        }
        self.sheet.data.append(trace | ({"text": words} if words else {}))

    def cells(
        self,
        z: list[list[float | None]],
        most: float,
        *,
        gap: float = 1,
        printed: Collection[tuple[int, int]] = (),
    ) -> None:
        """A heat map from −`most` to `most`; None is no cell. In `printed` cells (row, column) the value stands."""
        flags = [[int((row, column) in printed) for column in range(len(cells))] for row, cells in enumerate(z)]
        trace: dict[str, Any] = {
            "type": "heatmap",
            "z": z,
            "zmin": -most,
            "zmax": most,
            "xgap": gap,
            "ygap": gap,
            "showscale": False,
            "colorscale": [[0, LIGHT["s2"]], [0.5, LIGHT["paper"]], [1, LIGHT["s1"]]],
            "hoverinfo": "z",
            "customdata": flags,
            "xaxis": self.x,
            "yaxis": self.y,
        }
        self.sheet.data.append(trace)


def _less(a: float | None, b: float | None) -> float | None:
    return None if a is None or b is None else max(0.0, round(a - b, 12))


def axis(
    low: float,
    high: float,
    *,
    ticks: Sequence[float] = (),
    words: Sequence[str] = (),
    suffix: str = "",
    every: bool = False,
    style: str = "",
    log: bool = False,
    grid: bool = False,
    zero: bool = False,
    line: bool = False,
    ticklen: float = 0,
    mono: bool = False,
) -> dict[str, Any]:
    """A plotly axis from `low` to `high`; `suffix` stands on the last tick, or on `every` one."""
    kept: dict[str, Any] = {
        "range": [round(math.log10(low), 6), round(math.log10(high), 6)] if log else [low, high],
        "type": "log" if log else "linear",
        "showgrid": grid,
        "zeroline": zero,
        "showline": line,
        "showticklabels": bool(ticks),
        "fixedrange": True,
        "tickfont": {"size": SMALL, "color": LIGHT["ink3"]} | ({"family": MONO} if mono else {}),
        "gridcolor": LIGHT["hair"],
        "zerolinecolor": LIGHT["rule"],
        "linecolor": LIGHT["rule"],
    }
    if ticks:
        kept |= {"tickmode": "array", "tickvals": list(ticks), "ticks": ""}
        last = ticks[-1]
        kept["ticktext"] = list(words) or [
            tick_label(value, style, suffix if every or value == last else "") for value in ticks
        ]
    if suffix:
        kept |= {"ticksuffix": suffix, "showticksuffix": "all" if every else "last"}
    if style:
        kept["tickformat"] = style
    if ticklen:
        kept |= {"ticks": "outside", "ticklen": ticklen, "tickcolor": LIGHT["rule"]}
    return kept


def beside(up: dict[str, Any], least: float) -> float:
    """Px that the tick labels of a y axis take on the left of their panel, and no less than `least`."""
    return max(least, 8 + max((measure(text, SMALL) for text in up["ticktext"]), default=0.0))


def past(across: dict[str, Any], room: float, least: float = 0.0) -> float:
    """Px by which the last label of an x axis reaches past a panel that shares `room` px with it; no less than
    `least`."""
    low, high = across["range"]
    label = measure(across["ticktext"][-1], SMALL) / 2
    after = float((high - across["tickvals"][-1]) / (high - low))
    return max(least, (label - room * after) / (1 - after))


def hidden(low: float, high: float) -> dict[str, Any]:
    """An axis that scales and shows nothing."""
    return {"range": [low, high], "visible": False, "fixedrange": True}


class Sheet:
    """A spec under construction, `width` px wide; its height is set when it is finished."""

    def __init__(self, width: float) -> None:
        self.width = width
        self.data: list[dict[str, Any]] = []
        self.cites: dict[str, list[list[str]]] = {}
        self._annotations: list[dict[str, Any]] = []
        self._shapes: list[dict[str, Any]] = []
        self._panels: list[tuple[Panel, tuple[float, float, float, float], dict[str, Any], dict[str, Any]]] = []

    def text(
        self,
        x: float,
        y: float,
        line: Line,
        *,
        anchor: Literal["left", "center", "right"] = "left",
        size: float = TEXT,
        tone: Tone = "ink",
        plate: bool = False,
    ) -> None:
        """One line of text, its middle at height `y`. `plate` puts paper under it, for text on hatching."""
        name = f"t{len(self._annotations)}"
        text, cites = source(runs(line))
        if cites:
            self.cites[name] = cites
        kept = {
            "name": name,
            "text": text,
            "xref": "paper",
            "yref": "paper",
            "x": 0,
            "y": 1,
            "xshift": round(x, 2),
            "yshift": -round(y, 2),
            "xanchor": anchor,
            "yanchor": "middle",
            "showarrow": False,
            "font": {"size": size, "color": LIGHT[tone]},
        }
        self._annotations.append(kept | ({"bgcolor": LIGHT["paper"]} if plate else {}))

    def rule(
        self,
        x0: float,
        y0: float,
        x1: float,
        y1: float,
        *,
        tone: Tone = "rule",
        width: float = 1,
        dash: Literal["solid", "dot", "dash"] = "solid",
    ) -> None:
        """A straight line between two points of the sheet."""
        self._shapes.append(
            {
                "type": "line",
                "layer": "below",
                "xref": "paper",
                "yref": "paper",
                "xsizemode": "pixel",
                "ysizemode": "pixel",
                "xanchor": 0,
                "yanchor": 1,
                "x0": round(x0, 2),
                "x1": round(x1, 2),
                "y0": -round(y0, 2),
                "y1": -round(y1, 2),
                "line": {"color": LIGHT[tone], "width": width, "dash": dash},
            }
        )

    def panel(
        self, left: float, top: float, width: float, height: float, x: dict[str, Any], y: dict[str, Any]
    ) -> Panel:
        """A pair of axes over a rectangle of the sheet."""
        panel = Panel(self, len(self._panels) + 1)
        self._panels.append((panel, (left, top, left + width, top + height), x, y))
        return panel

    def spec(self, height: float, meta: dict[str, Any]) -> Spec:
        """The finished figure: plotly's `data` and `layout`, our extras under `layout.meta`."""
        layout: dict[str, Any] = {
            "width": self.width,
            "height": height,
            "margin": {"l": 0, "r": 0, "t": 0, "b": 0, "pad": 0},
            "paper_bgcolor": LIGHT["paper"],
            "plot_bgcolor": "rgba(0,0,0,0)",
            "font": {"family": "system-ui, sans-serif", "size": TEXT, "color": LIGHT["ink"]},
            "showlegend": False,
            "hovermode": "closest",
            "annotations": self._annotations,
            "shapes": self._shapes,
        }
        for panel, (left, top, right, bottom), x, y in self._panels:
            across = [round(left / self.width, 6), round(right / self.width, 6)]
            up = [round(1 - bottom / height, 6), round(1 - top / height, 6)]
            layout[panel.x.replace("x", "xaxis")] = x | {"domain": across, "anchor": panel.y}
            layout[panel.y.replace("y", "yaxis")] = y | {"domain": up, "anchor": panel.x}
        layout["meta"] = meta | {"cites": self.cites | meta.get("cites", {})}
        return {"data": self.data, "layout": layout}
