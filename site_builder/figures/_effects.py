"""Rows of effects on one axis through zero: label, dot and interval, the control's band, the value at the right."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lens.reading import Declined, Quantity
from site_builder.figures._readings import Reader, cell, declined, why
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, hidden, measure
from site_builder.svg import Run
from site_builder.svg.scales import nice

STEP = 27.0
_GAP = 14.0


@dataclass(frozen=True)
class Row:
    """One effect: a field or a table's cell. `null` is how far from zero its control reaches, `beside` a last word."""

    reader: Reader
    field: str
    label: Run
    null: float | None = None
    beside: tuple[Run, ...] = ()
    symbol: str = "circle"

    @cached_property
    def value(self) -> Quantity | Declined:
        field = self.reader.lookup.field(self.reader.id, self.field)
        if not isinstance(field, Quantity | Declined):
            raise ValueError(f"{self.reader.id}#{self.field} is words, not an effect")
        return field

    @cached_property
    def printed(self) -> list[Run]:
        return [] if isinstance(self.value, Declined) else [self.reader.number(self.field)]

    def ends(self) -> tuple[float | None, float | None]:
        interval = self.value.interval if isinstance(self.value, Quantity) else None
        return (interval.low, interval.high) if interval else (None, None)

    def reach(self) -> list[float]:
        """Everything of the row that must lie on the axis."""
        null = [] if self.null is None else [-self.null, self.null]
        if isinstance(self.value, Declined):
            return null
        return [float(self.value.value), *(end for end in self.ends() if end is not None), *null]


def draw(
    sheet: Sheet,
    rows: list[Row],
    *,
    unit: str,
    left: float = 0.0,
    width: float = 0.0,
    top: float = 0.0,
    span: tuple[float, float] | None = None,
    step: float = STEP,
) -> float:
    """Draw rows from `top` in `width` px (all of the sheet by default); returns where the drawing ends. `span` fixes
    the axis, where several panels share one."""
    width = width or sheet.width - left
    labels = max((measure(row.label) for row in rows), default=0.0) + 12
    values = max((measure(row.printed) for row in rows), default=0.0) + _GAP
    besides = max((measure(list(row.beside)) for row in rows if row.beside), default=0.0)
    under = bool(besides) and width - labels - values - besides < 190  # no room at the right: beneath the label
    if under:
        step += 16.0
        labels = max(labels, besides + 12)
        besides = 0.0
    room = width - labels - values - (besides + _GAP if besides else 0)
    ticks = axis_ticks(rows, span, room)
    height = step * len(rows)
    panel = sheet.panel(
        left + labels, top, room, height, axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True),
        hidden(len(rows), 0),
    )  # fmt: skip
    for index, row in enumerate(rows):
        middle = top + step * (index + 0.5)
        y = middle - 8 if under else middle
        sheet.text(left + labels - 12, y, row.label, anchor="right", tone="ink2")
        _mark(sheet, panel, row, index, (ticks[0], ticks[-1]), (left + labels + room / 2, middle))
        if row.printed:
            sheet.text(left + labels + room + values, middle, row.printed, anchor="right")
        if row.beside and under:
            sheet.text(left + labels - 12, middle + 8, list(row.beside), anchor="right", size=SMALL, tone="ink3")
        elif row.beside:
            sheet.text(left + width - besides, middle, list(row.beside), tone="ink2")
    sheet.text(left + labels + room, top + height + 30, unit, anchor="right", tone="ink3", size=SMALL)
    return top + height + 40


def axis_ticks(rows: list[Row], span: tuple[float, float] | None, room: float) -> list[float]:
    """Round steps over everything drawn; zero is always on the axis."""
    reach = [value for row in rows for value in row.reach()]
    low, high = span or (min([0.0, *reach]), max([0.0, *reach]))
    return nice(low, high, 4 if room > 170 else 2)


def _mark(
    sheet: Sheet, panel: Panel, row: Row, index: int, limits: tuple[float, float], middle: tuple[float, float]
) -> None:
    y = index + 0.5
    if row.null:
        panel.band([(-row.null, y - 0.3), (row.null, y - 0.3), (row.null, y + 0.3), (-row.null, y + 0.3)])
    value = row.value
    if isinstance(value, Declined):
        panel.plate(*limits, index + 0.12, index + 0.88, why=value.detail)
        sheet.text(*middle, why(value), anchor="center", size=SMALL, plate=True)
        return
    low, high = row.ends()
    panel.dots(
        [float(value.value)], [y], low=[low], high=[high], refs=[row.reader.ref(row.field)], words=[row.label.text],
        symbol=row.symbol,
    )  # fmt: skip
    if value.value == 0:
        panel.zero(0, y)


def table(rows: list[Row], head: str, what: str, *, beside: str = "", control: str = "") -> dict[str, object]:
    """The rows as a table: name, value, interval, and what stands beside; `control` names the field tail of a null."""
    made: list[object] = []
    for row in rows:
        value = row.value
        cells: list[object] = [cell(row.label)]
        if isinstance(value, Declined):
            cells += [declined(value)] * 2
        else:
            spread = row.reader.number(row.field, "interval") if value.interval else ""
            cells += [cell(row.printed), cell(spread)]
        if control:
            name = f"{row.field.rpartition('.')[0]}.{control}"
            cells.append(cell(row.reader.number(name) if row.reader.quantity(name) else ""))
        if beside:
            cells.append(cell(list(row.beside)))
        made.append(cells)
    columns = [head, what, "interval", *([f"control, ±{what}"] if control else []), *([beside] if beside else [])]
    return {"columns": columns, "rows": made}
