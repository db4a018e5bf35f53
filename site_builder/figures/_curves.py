"""Curves by depth or dose in a panel: a band, a line and its name at the right end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from site_builder.figures._labels import spread
from site_builder.figures._sheet import SMALL, TEXT, Line, Numbers, Panel, Sheet, runs
from site_builder.svg import Run
from site_builder.svg.palette import Tone


@dataclass(frozen=True)
class Curve:
    """One line over the panel's x; `low` and `high` are its band."""

    y: Sequence[float]
    name: Line = ""
    tone: Tone = "ink"
    low: Numbers = ()
    high: Numbers = ()
    dots: bool = True
    width: float = 1.5


def draw(panel: Panel, x: Sequence[float], curves: Sequence[Curve], refs: Sequence[str] = ()) -> None:
    """Bands first, then lines in order: the last stands on top. `refs` are those of the last curve's points."""
    for curve in curves:
        if not curve.dots:
            panel.line(list(x), list(curve.y), tone=curve.tone, width=curve.width)
    for at, curve in enumerate(curves):
        if curve.dots:
            panel.line(list(x), list(curve.y), tone=curve.tone, width=curve.width)
            low, high = (list(ends) if len(ends) else None for ends in (curve.low, curve.high))
            last = at == len(curves) - 1
            panel.dots(
                list(x), list(curve.y), tone=curve.tone, size=5, low=low, high=high, flat=False,
                refs=refs if last else (),
            )  # fmt: skip


def band(panel: Panel, x: Sequence[float], low: Sequence[float], high: Sequence[float], tone: Tone = "band") -> None:
    panel.band([*zip(x, low, strict=True), *reversed(list(zip(x, high, strict=True)))], tone=tone)


def names(
    sheet: Sheet,
    curves: Sequence[Curve],
    *,
    right: float,
    top: float,
    height: float,
    span: tuple[float, float],
) -> None:
    """Each curve's name beside its last point, moved apart where two would meet. `span` is the y axis."""
    named = [curve for curve in curves if curve.name]
    wanted = [top + height * (1 - (curve.y[-1] - span[0]) / (span[1] - span[0])) for curve in named]
    for curve, end, y in zip(named, wanted, spread(wanted, TEXT + 4, top, top + height), strict=True):
        line = [run if run.tone else run._replace(tone=_text(curve.tone)) for run in runs(curve.name)]
        sheet.text(right + 14, y, line, size=SMALL)
        if abs(end - y) > 3:
            sheet.rule(right + 4, end, right + 12, y)


def _text(tone: Tone) -> Tone:
    return {"s1": "s1t", "s2": "s2t", "hatch": "ink3", "band": "ink3"}.get(tone, tone)  # type: ignore[return-value]


def bold(text: str) -> Run:
    return Run(text, bold=True)
