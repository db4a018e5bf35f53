"""A run's series as small multiples: one panel a series, its interval as a band, steps without a number hatched."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures import _steps
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis, beside, past
from site_builder.figures._signals import UNITS, places, series_name
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
_ACROSS = 3
_HEIGHT = 110.0
_TOP = 46.0
_LEFT = 46.0
_GAP = 30.0
_BELOW = 46.0
_POINTS = 560  # of all panels: longer series are drawn at an even stride, their ends among the points


@figure("run-series", draws="a run's series by step, small multiples", instruments=("series",))
def run_series(lookup: Lookup, id: str, width: Width, only: str = "") -> Spec:
    """`id` is a series record with its `steps` table; `only` names the series to draw, with spaces between."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("steps") or {}
    names = [name for name in dict.fromkeys(table["series"]) if not only or name in only.replace(",", " ").split()]
    steps = sorted(set(table["step"]))
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    across = _ACROSS if width == "wide" else 1
    room = (sheet.width - _GAP * (across - 1)) / across
    hatched = False
    drawn = [steps[place] for place in _steps.shown(len(steps), max(2, _POINTS // max(1, len(names))))]
    for index, name in enumerate(names):
        left, top = (index % across) * (room + _GAP), (index // across) * (_TOP + _HEIGHT + _BELOW)
        hatched |= _panel(sheet, reader, table, name, (steps, drawn), (left, top, room))
    bottom = -(-len(names) // across) * (_TOP + _HEIGHT + _BELOW)
    return sheet.spec(bottom - 4, _meta(reader, table, names, hatched, len(drawn) < len(steps)))


def _panel(
    sheet: Sheet,
    reader: Reader,
    table: Columns,
    name: str,
    shown: tuple[list[int], list[int]],
    place: tuple[float, float, float],
) -> bool:
    """Draw one series; whether it has steps without a number."""
    (steps, drawn), (left, top, width) = shown, place
    at = {table["step"][one]: one for one in places(table, series=name)}
    values = [table["value"][at[step]] if step in at else None for step in drawn]
    low, high = ([table[end][at[step]] if step in at else None for step in drawn] for end in ("low", "high"))
    if UNITS.get(name, "").startswith("share"):  # no share lies beyond these, whatever a t interval says
        low, high = ([None if end is None else min(max(end, 0.0), 1.0) for end in some] for some in (low, high))
    reach = [value for some in (values, low, high) for value in some if value is not None]
    ticks = nice(min(reach), max(reach) if max(reach) > min(reach) else min(reach) + 1.0, 4)
    across, up = _steps.steps_axis(steps, count=4), axis(ticks[0], ticks[-1], ticks=ticks, grid=True)
    before = beside(up, _LEFT)
    after = past(across, width - before, 6)
    panel = sheet.panel(left + before, top + _TOP, width - before - after, _HEIGHT, across, up)
    missing = [(step - 0.5, step + 0.5, ticks[0], ticks[-1]) for step in steps if step not in at]
    if missing:
        panel.plates(missing, outline=False, why="no number at this step")
    _steps.between(panel, drawn, low, high)
    _steps.line(panel, drawn, values, tone="ink", width=1.5)
    sheet.text(left, top + 8, [Run(series_name(name), bold=True), Run(f", {UNITS.get(name, '')}", tone="ink3")])
    sheet.text(left, top + 27, _ends(reader, name), size=SMALL)
    sheet.text(left + width - 6, top + _TOP + _HEIGHT + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return bool(missing)


def _ends(reader: Reader, name: str) -> list[Run]:
    """First and last tenth, as far as they were measured."""
    found = [f"{name}.{word}" for word in ("first", "last") if reader.quantity(f"{name}.{word}")]
    if len(found) < 2:
        return [Run("one end has no number", tone="ink3")]
    first, last = (reader.number(field) for field in found)
    return [Run("from ", tone="ink3"), first, Run(" to ", tone="ink3"), last]


def _title(reader: Reader) -> str:
    reward, gold = (reader.quantity(f"{name}.change") for name in ("reward", "gold"))
    if reward is None or reward.interval is None:
        return "What moved over the run, step by step"
    up = "rises" if reward.interval.low > 0 else "falls" if reward.interval.high < 0 else "stays where it was"
    if gold is None or gold.interval is None:
        return f"The reward {up} over the run"
    other = "rises" if gold.interval.low > 0 else "falls" if gold.interval.high < 0 else "stays"
    if (up, other) == ("rises", "falls"):
        return "The reward rises while the trusted grader’s score falls"
    return f"The reward {up} over the run; the trusted grader’s score {other}"


def _meta(reader: Reader, table: Columns, names: list[str], hatched: bool, thinned: bool) -> dict[str, object]:
    caption: list[str | Run] = [
        "One panel a series, each on its own scale. Band: the interval over a step’s groups, where there are enough of "
        "them; a series as the trainer logged it has none. Beside each name the means over the first and the last "
        "tenth of the steps."
    ]
    if thinned:
        caption.append(
            " Drawn at an even stride, the first and the last step among the points; the CSV has every step."
        )
    if hatched:
        caption.append(" Hatched: steps without a number, which is no zero.")
    rows: list[object] = []
    for name in names:
        row: list[object] = [cell(series_name(name))]
        for word in ("first", "last", "change"):
            field = reader.quantity(f"{name}.{word}")
            row.append(cell(reader.number(f"{name}.{word}") if field else ""))
            row.append(cell(reader.number(f"{name}.{word}", "interval") if field and field.interval else ""))
        rows.append(row)
    return {
        "figure": "run-series",
        "of": reader.id,
        "title": _title(reader),
        "desc": "Small panels, one a series: its value by optimizer step as a line, its interval as a band.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "optimizer step", "y": "in each panel its own"},
        "table": {
            "columns": ["series", "first tenth", "interval", "last tenth", "interval", "change", "interval"],
            "rows": rows,
        },
        "rows": table,
    }
