"""A transition: the series, the logistic through it with its band, its midpoint and how long it took."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures import _steps
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis, beside, past
from site_builder.figures._signals import UNITS, first_of, places, series_name
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

MEDIUM = 700.0
_HEIGHT = 230.0
_TOP = 62.0
_LEFT = 44.0


@figure("transition", draws="a series and its logistic with midpoint, width and band", instruments=("transition",))
def transition(lookup: Lookup, id: str, width: Width, series: str = "") -> Spec:
    """`id` is a transition record with its `curve` table; `series` names one that was fitted, the first by default."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("curve") or {}
    name = first_of(table, series)
    at = places(table, series=name)
    steps, values, fitted, low, high = ([table[column][one] for one in at] for column in _COLUMNS)
    ticks = nice(min([*values, *low]), max([*values, *high]), 5)
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    across = _steps.steps_axis(steps, count=8 if width == "wide" else 4)
    up = axis(ticks[0], ticks[-1], ticks=ticks, grid=True)
    left = beside(up, _LEFT)
    room = sheet.width - left - past(across, sheet.width - left, 10)
    panel = sheet.panel(left, _TOP, room, _HEIGHT, across, up)
    _steps.between(panel, steps, low, high)
    panel.dots(list(map(float, steps)), values, size=3, tone="hatch", flat=False)
    _steps.line(panel, steps, fitted, tone="s1", width=2)
    _marks(sheet, reader, name, steps, (left, room))
    sheet.text(0, 8, [Run(series_name(name), bold=True), Run(f", {UNITS.get(name, '')}", tone="ink3")])
    sheet.text(left + room, _TOP + _HEIGHT + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(_TOP + _HEIGHT + 40, _meta(reader, name, table))


_COLUMNS = ("step", "value", "fitted", "low", "high")


def _marks(sheet: Sheet, reader: Reader, name: str, steps: list[int], place: tuple[float, float]) -> None:
    """The midpoint with its interval above the panel, and the steps from 10 to 90 % as a bar."""
    middle, wide = reader.quantity(f"{name}.midpoint"), reader.quantity(f"{name}.width")
    if middle is None or wide is None:
        return
    left, room = place

    def px(step: float) -> float:
        kept = min(max(step, steps[0] - 0.5), steps[-1] + 0.5)
        return left + room * (kept - steps[0] + 0.5) / (steps[-1] - steps[0] + 1)

    at = px(float(middle.value))
    sheet.rule(at, _TOP - 4, at, _TOP + _HEIGHT, tone="ink3", dash="dash")
    half = float(wide.value) / 2
    sheet.rule(px(middle.value - half), _TOP - 8, px(middle.value + half), _TOP - 8, tone="s1", width=4)
    words = [
        Run("midway at ", tone="ink3"), reader.number(f"{name}.midpoint"), Run(", in ", tone="ink3"),
        reader.number(f"{name}.width"), Run(" steps", tone="ink3"),
    ]  # fmt: skip
    sheet.text(0, 30, words, size=SMALL)


def _meta(reader: Reader, name: str, table: Columns) -> dict[str, object]:
    rows: list[object] = []
    for series in dict.fromkeys(table["series"]):
        row: list[object] = [cell(series_name(series))]
        for field in ("midpoint", "width", "floor", "ceiling"):
            row += [cell(reader.number(f"{series}.{field}")), cell(reader.number(f"{series}.{field}", "interval"))]
        rows.append(row)
    heads = [head for field in ("midpoint", "width", "before", "after") for head in (field, "interval")]
    return {
        "figure": "transition",
        "of": reader.id,
        "title": _title(reader, name, table),
        "desc": "Points of the series by optimizer step, a logistic curve through them with a band, and a dashed line "
        "at its midpoint.",
        "caption": sentence(
            "Points: the series. Line: the logistic of least squares; band: where it lies over redraws of its "
            "residuals in blocks. The bar above spans the middle of the change, from a tenth of it to all but a tenth; "
            "the dashed line is its midpoint. It is fitted to the whole run, looking back."
        ),
        "source": reader.scope(),
        "units": {"x": "optimizer step", "y": UNITS.get(name, "")},
        "table": {"columns": ["series", *heads], "rows": rows},
        "rows": {column: [table[column][at] for at in places(table, series=name)] for column in table},
    }


def _title(reader: Reader, name: str, table: Columns) -> str:
    first, last = reader.quantity(f"{name}.floor"), reader.quantity(f"{name}.ceiling")
    if first is None or last is None:
        return f"How {series_name(name)} went from one level to another"
    way = "rises" if last.value > first.value else "falls"
    steps, wide = table["step"], reader.quantity(f"{name}.width")
    quick = wide is not None and float(wide.value) < (max(steps) - min(steps)) / 10
    return f"{series_name(name).capitalize()} {way} from one level to another, {'abruptly' if quick else 'gradually'}"
