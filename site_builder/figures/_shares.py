"""Rows of shares on one percent axis: label at the left, dot and interval, "k of n" at the right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

from lens.reading import Declined, Quantity, Quote
from lens.stats.intervals import wilson
from site_builder.figures._readings import Reader, cell, declined, ends, share, why
from site_builder.figures._sheet import SMALL, TEXT, Panel, Sheet, axis, hidden, measure
from site_builder.svg import Run
from site_builder.svg.metrics import wrap
from site_builder.svg.scales import nice

_LINE = 15.0  # px between the two lines of a wrapped label


@dataclass(frozen=True)
class Row:
    """One share. `beneath` is a quieter second line of the label, `gap` what a declined row says for its reason."""

    reader: Reader
    field: str
    label: tuple[Run, ...]
    beneath: tuple[Run, ...] = ()
    gap: str = ""

    @cached_property
    def value(self) -> Quantity | Quote | Declined:
        field = self.reader.lookup.field(self.reader.id, self.field)
        if not isinstance(field, Quantity | Quote | Declined):
            raise ValueError(f"{self.reader.id}#{self.field} is words, not a share")
        return field

    @cached_property
    def printed(self) -> list[Run]:
        value = self.value
        if isinstance(value, Declined):
            return []
        if isinstance(value, Quote):
            return [self.reader.number(self.field)]
        return [self.reader.number(self.field, bold=value.value == 0)]

    def span(self) -> tuple[float, float]:
        """What the row covers on a percent axis."""
        value = self.value
        if isinstance(value, Declined):
            return (0.0, 0.0)
        low, high = interval(value)
        at = share(value)
        return (at if low is None else low, at if high is None else high)


def interval(value: Quantity | Quote) -> tuple[float | None, float | None]:
    """A row's interval in percent. A reported "k of n" has its own Wilson interval, drawn dotted."""
    if isinstance(value, Quantity):
        return ends(value)
    if not value.of or value.value is None:
        return None, None
    made = wilson(value.value, value.of)
    return 100 * made.low, 100 * made.high


def worst_first(rows: list[Row]) -> list[Row]:
    """By share, the greatest first, of equal ones that of the most trials; declined rows last."""

    def place(row: Row) -> tuple[float, int]:
        value = row.value
        return (math.inf, 0) if isinstance(value, Declined) else (-share(value), -(value.of or 0))

    return sorted(rows, key=place)


def draw(
    sheet: Sheet,
    rows: list[Row],
    *,
    unit: str,
    top: float = 0.0,
    labels: float = 128.0,
    right: bool = True,
    full: bool = True,
) -> float:
    """Draw rows from `top`; returns where the drawing ends.

    `labels` is the most a label may take before it wraps; `right` aligns it to the axis; `full` keeps 0 to 100 %
    even where the values need less.
    """
    broken = [_lines(row, labels) for row in rows]
    wide = max((measure(line) for lines in broken for line in lines), default=0.0)
    values = max((measure(row.printed) for row in rows), default=0.0)
    left = wide + 12
    span = sheet.width - left - (values + 14 if right else 22)  # room for the last tick's label
    depth = max((len(lines) for lines in broken), default=1)
    step = 27.0 if depth == 1 else 20.0 + _LINE * (depth - 1) if right else 36.0
    low, high, ticks = _range(rows, full, span)
    height = step * len(rows)
    # A panel's inside is a little wider than its range, so that a dot at either end is whole.
    panel = sheet.panel(
        left, top, span, height, axis(low, high, ticks=ticks, suffix=" %", grid=True, zero=True), hidden(len(rows), 0)
    )
    for index, (row, lines) in enumerate(zip(rows, broken, strict=True)):
        middle = top + step * (index + 0.5)
        for at, line in enumerate(lines):
            y = middle + (at - (len(lines) - 1) / 2) * _LINE
            sheet.text(
                left - 12 if right else 0, y, line, anchor="right" if right else "left",
                size=TEXT if at == 0 or not row.beneath else SMALL, tone="ink2" if right else "ink",
            )  # fmt: skip
        _mark(panel, row, index + 0.5)
        value = row.value
        if isinstance(value, Declined):
            _gap(sheet, panel, row, value, index, (left, span, middle), (low, high))
        elif right:
            sheet.text(sheet.width, middle, row.printed, anchor="right")
    sheet.text(sheet.width, top + height + 29, unit, anchor="right", tone="ink3", size=SMALL)
    return top + height + 38


def _lines(row: Row, room: float) -> list[list[Run]]:
    """A label in lines: wrapped where it is one plain run, its second line beneath it where it has one."""
    lines = [list(row.label)]
    if len(row.label) == 1 and not row.beneath:
        run = row.label[0]
        lines = [[run._replace(text=text)] for text in wrap(run.text, room, TEXT, run.face)]
    return lines + ([list(row.beneath)] if row.beneath else [])


def _range(rows: list[Row], full: bool, span: float) -> tuple[float, float, list[float]]:
    top = max((row.span()[1] for row in rows), default=0.0)
    if full or top > 60:
        return 0.0, 100.0, [0.0, 50.0, 100.0]
    ticks = nice(0.0, top or 1.0, 3 if span < 300 else 4)
    return ticks[0], ticks[-1], ticks


def _mark(panel: Panel, row: Row, y: float) -> None:
    value = row.value
    if isinstance(value, Declined):
        return
    at = share(value)
    low, high = interval(value)
    ref = [row.reader.ref(row.field)]
    words = ["".join(run.text for run in row.label)]
    if isinstance(value, Quote):
        if low is not None and high is not None:
            panel.line([low, high], [y, y], dash="dot", name="interval")
        panel.dots([at], [y], symbol="circle-open", size=9, refs=ref, words=words)
    else:
        panel.dots([at], [y], low=[low], high=[high], refs=ref, words=words)
    if at == 0:
        panel.zero(0, y)


def _gap(
    sheet: Sheet,
    panel: Panel,
    row: Row,
    value: Declined,
    index: int,
    place: tuple[float, float, float],
    limits: tuple[float, float],
) -> None:
    """A declined row: an explicit gap with its reason."""
    left, span, middle = place
    panel.plate(limits[0], limits[1], index + 0.14, index + 0.86, why=value.detail)
    sheet.text(left + span / 2, middle, row.gap or why(value), anchor="center", size=SMALL, plate=True)


def table(rows: list[Row], head: str, what: str) -> dict[str, object]:
    """Rows of shares as a table: name, count, interval in percent."""
    cells: list[object] = []
    for row in rows:
        value, name = row.value, cell(list(row.label))
        said = row.reader.said(f"#{row.field}@note") if isinstance(value, Quantity) else None
        if isinstance(value, Declined):
            cells.append([name, cell(""), declined(value), declined(value)])
        elif isinstance(value, Quantity):
            has = ends(value)[0] is not None
            printed = row.reader.number(row.field, "pctinterval") if has else ""
            cells.append([name, cell(said or ""), cell(row.printed), cell(printed)])
    return {"columns": [head, "what it is", what, "interval"], "rows": cells}
