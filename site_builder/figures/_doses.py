"""Small panels of reward against dose, one an edit or concept, on one scale: mean change with its interval."""

from __future__ import annotations

from typing import NamedTuple

from site_builder.figures import _curves, _terms
from site_builder.figures._curves import Curve
from site_builder.figures._readings import Reader
from site_builder.figures._registry import NARROW, Width
from site_builder.figures._sheet import SMALL, Line, Sheet, axis, runs
from site_builder.svg import Run
from site_builder.svg.scales import nice

WIDE = 1120.0
_LEFT = 44.0


class Dose(NamedTuple):
    """One panel: doses, mean changes with their ends, the rows they stand in, and the slope of its null."""

    name: str
    doses: list[float]
    change: list[float]
    low: list[float | None]
    high: list[float | None]
    refs: list[str]
    told: Line
    null: float | None = None


def draw(found: list[Dose], width: Width, *, unit: str, x_unit: str) -> tuple[Sheet, float]:
    """The panels; returns the sheet and its height. The null is a wedge: the slope that chance alone reaches."""
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    across, height = (_across(len(found)), 140.0) if width == "wide" else (2, 105.0)
    gap = 34.0 if width == "wide" else 22.0
    span = (sheet.width - _LEFT - 8 - gap * (across - 1)) / across
    reach = [value for one in found for value in (*one.change, *one.low, *one.high) if value is not None]
    reach += [sign * (one.null or 0.0) * abs(dose) for one in found for dose in one.doses for sign in (-1, 1)]
    ticks = nice(min([0.0, *reach]), max([0.0, *reach]), 4)
    sheet.text(0, 8, unit, tone="ink3", size=SMALL)
    for at, one in enumerate(found):
        row, column = divmod(at, across)
        left, top = _LEFT + column * (span + gap), 22 + row * (height + 78)
        sheet.text(left, top + 8, Run(_terms.shortened(_terms.words(one.name), span, 12.5), bold=True))
        sheet.text(left, top + 26, [run._replace(tone=run.tone or "ink2") for run in runs(one.told)], size=SMALL)
        grid = axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True)
        panel = sheet.panel(
            left, top + 42, span, height,
            axis(min(one.doses), max(one.doses), ticks=_ticks(one.doses, span)),
            grid if column == 0 else {**grid, "showticklabels": False},
        )  # fmt: skip
        if one.null:
            tops = [one.null * abs(dose) for dose in one.doses]
            _curves.band(panel, one.doses, [-top for top in tops], tops)
        _curves.draw(panel, one.doses, [Curve(one.change, "", "ink", one.low, one.high)], one.refs)
    end = 22 + (height + 78) * -(-len(found) // across)
    sheet.text(sheet.width, end, x_unit, anchor="right", tone="ink3", size=SMALL)
    return sheet, end + 10


def _across(count: int) -> int:
    return min((3, 4, 5), key=lambda across: (-count % across, across)) if count > 2 else 2


def _ticks(doses: list[float], span: float) -> list[float]:
    few = [doses[0], 0.0, doses[-1]] if doses[0] < 0 < doses[-1] else [doses[0], doses[-1]]
    return few if span < 200 else [dose for dose in doses if dose == int(dose)]


def verdict(reader: Reader, name: str) -> list[Run]:
    """The instrument's own word about a panel, quoted from its label."""
    return [reader.number(f"{name}.verdict")] if f"{name}.verdict" in reader.fields else []
