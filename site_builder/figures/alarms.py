"""One series of a run, the detectors that fired on it and when, and how often each fires where nothing changed."""

from __future__ import annotations

from dataclasses import dataclass

from lens.reading import Columns, Quantity
from site_builder.figures import _series, _steps
from site_builder.figures._readings import Reader, cell, declined, ends, sentence, share
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
_ROW = 30.0
_TALL = 150.0
_LOW = 84.0
_DEAR = 10.0  # % of surrogates
_REACH = 3.0  # thresholds: the statistic leaves its panel there, and the caption says so
_WORDS = {
    "cusum": "CUSUM",
    "ewma": "EWMA",
    "page-hinkley": "Page–Hinkley",
    "bocpd": "BOCPD",
    "e-detector": "e-detector",
}


@dataclass(frozen=True)
class _View:
    """What is drawn: a series, its rows in `paths`, its detectors, and the horizontal room of the two columns."""

    reader: Reader
    name: str
    paths: Columns
    rows: list[int]
    detectors: list[str]
    left: float
    room: float

    @property
    def steps(self) -> list[int]:
        return [self.paths["step"][at] for at in self.rows]

    def field(self, detector: str, part: str) -> str:
        return f"{self.name}.{detector}.{part}"


@figure("alarms", draws="alarms on one series, by detector, with false-alarm rates", instruments=("alarms",))
def alarms(lookup: Lookup, id: str, width: Width, *, series: str = "") -> Spec:
    """`id` is an alarms record; `series` is one it watched: by default the first, variance of reward inside groups."""
    reader = Reader(lookup, id)
    paths: Columns = reader.table("paths") or {}
    found = {track.name: track.rows for track in _series.tracks(paths)}
    name = series or next(iter(found))
    detectors = [one for one in paths if one not in ("series", "step", "value")]
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    names = max(measure(word(one)) for one in detectors) + 14
    room = sheet.width - names - (430.0 if width == "wide" else 14.0)
    view = _View(reader, name, paths, found[name], detectors, names, room)
    top = _value(sheet, view)
    top = _statistic(sheet, view, top)
    start = top
    top = _fired(sheet, view, top)
    if width == "wide":
        left = names + room + 40
        end = max(top, _rates(sheet, view, start, left, sheet.width - left))
    else:
        end = _rates(sheet, view, top + 26, names, sheet.width - names)
    return sheet.spec(end + 6, _meta(view))


def word(detector: str) -> str:
    return _WORDS.get(detector, detector.replace("-", " "))


def _value(sheet: Sheet, view: _View) -> float:
    """The series itself, its baseline shaded, the change marked; where it ends."""
    value = [view.paths["value"][at] for at in view.rows]
    known = [one for one in value if one is not None] or [0.0, 1.0]
    low, high = min(known), max(known)
    ticks = nice(low, high, 4) if low < high else nice(min(low, 0.0), max(high, 0.0) or 1.0, 2)
    unit = _series.unit(view.reader, view.name)
    sheet.text(0, 8, _series.heading(view.name, unit, view.left + view.room))
    said = _said(view)
    top = 26.0
    if sheet.width > NARROW:
        line = [run for at, one in enumerate(said) for run in ([Run("; ", tone="ink3")] * bool(at) + one)]
        if line:
            sheet.text(sheet.width, 8, line, anchor="right", size=SMALL)
    else:
        for one in said:
            sheet.text(0, top, one, size=SMALL)
            top += 18
    panel = _panel(sheet, view, top, _TALL, axis(ticks[0], ticks[-1], ticks=ticks, grid=True), steps=False)
    _baseline(panel, view, ticks[0], ticks[-1])
    _steps.line(panel, view.steps, value, tone="ink", width=1.25)
    _change(panel, view, ticks[0], ticks[-1])
    return top + _TALL + 14


def _said(view: _View) -> list[list[Run]]:
    """What the shading and the dashed line are."""
    said: list[list[Run]] = []
    reader = view.reader
    if reader.quantity("baseline"):
        said.append([Run("shaded: baseline, ", tone="ink3"), reader.number("baseline"), Run(" steps", tone="ink3")])
    if reader.quantity("onset"):
        said.append([Run("dashed: the change, step ", tone="ink3"), reader.number("onset")])
    return said


def _panel(sheet: Sheet, view: _View, top: float, height: float, y: dict[str, object], *, steps: bool) -> Panel:
    x = _steps.steps_axis(view.steps, count=6 if view.room > 300 else 4)
    if not steps:
        x |= {"showticklabels": False, "showline": False}
    return sheet.panel(view.left, top, view.room, height, x, y)


def _baseline(panel: Panel, view: _View, low: float, high: float) -> None:
    baseline = view.reader.quantity("baseline")
    if baseline is None:
        return
    first = view.steps[0] - 0.5
    last = min(view.steps[-1] + 0.5, first + float(baseline.value))
    panel.band([(first, low), (last, low), (last, high), (first, high)])


def _change(panel: Panel, view: _View, low: float, high: float) -> None:
    onset = view.reader.quantity("onset")
    if onset is not None and view.steps[0] <= onset.value <= view.steps[-1]:
        panel.line([float(onset.value)] * 2, [low, high], tone="s2", width=1.25, dash="dash")


def _statistic(sheet: Sheet, view: _View, top: float) -> float:
    """The first detector's statistic in thresholds; above three thresholds its line is broken."""
    detector = view.detectors[0]
    values = [view.paths[detector][at] for at in view.rows]
    seen = [None if one is None or abs(one) > _REACH else one for one in values]
    reach = [one for one in seen if one is not None] or [0.0]
    low = min(0.0, *reach)
    ticks = [0.0, 1.0, 2.0, 3.0]
    sheet.text(view.left - 12, top + _LOW / 2 - 9, word(detector), anchor="right", tone="ink2")
    sheet.text(view.left - 12, top + _LOW / 2 + 9, "thresholds", anchor="right", tone="ink3", size=SMALL)
    panel = _panel(
        sheet, view, top, _LOW, axis(min(low, 0.0), _REACH, ticks=ticks) | {"showticklabels": False}, steps=False
    )
    _baseline(panel, view, min(low, 0.0), _REACH)
    ends_ = [view.steps[0] - 0.5, view.steps[-1] + 0.5]
    panel.line(ends_, [1.0, 1.0], tone="s1", width=1, dash="dash")
    _steps.line(panel, view.steps, seen, tone="ink", width=1.25)
    _change(panel, view, min(low, 0.0), _REACH)
    return top + _LOW + 14


def _fired(sheet: Sheet, view: _View, top: float) -> float:
    """A row a detector: a mark at the step of its alarm, or the word none."""
    count = len(view.detectors)
    height = _ROW * count
    panel = _panel(sheet, view, top, height, hidden(count, 0), steps=True)
    _baseline(panel, view, count, 0)
    _change(panel, view, count, 0)
    for at, detector in enumerate(view.detectors):
        middle = top + _ROW * (at + 0.5)
        sheet.text(view.left - 12, middle, word(detector), anchor="right", tone="ink2")
        alarm = view.reader.quantity(view.field(detector, "alarm"))
        if alarm is None:
            sheet.text(view.left + view.room - 4, middle, "no alarm", anchor="right", tone="ink3", size=SMALL)
            continue
        step = float(alarm.value)
        panel.line([step, view.steps[-1] + 0.5], [at + 0.5, at + 0.5], tone="cell", width=1)
        panel.dots([step], [at + 0.5], refs=[view.reader.ref(view.field(detector, "alarm"))], words=[word(detector)])
        place = view.left + view.room * (step - view.steps[0] + 0.5) / (view.steps[-1] - view.steps[0] + 1)
        right = place + 60 > view.left + view.room
        number = view.reader.number(view.field(detector, "alarm"))
        sheet.text(
            place - 8 if right else place + 8, middle - 9, number, anchor="right" if right else "left", size=SMALL
        )
    sheet.text(view.left + view.room, top + height + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return top + height + 38


def _rates(sheet: Sheet, view: _View, top: float, left: float, width: float) -> float:
    """How often each detector fires on series without a change: by its alarm's step, and by the end."""
    count = len(view.detectors)
    height = _ROW * count
    printed = max(measure(_printed(view, one), SMALL) for one in view.detectors) + 12
    room = width - printed
    ticks = [0.0, 50.0, 100.0]
    panel = sheet.panel(
        left, top, room, height, axis(0, 100, ticks=ticks, suffix="\u202f%", grid=True, zero=True), hidden(count, 0)
    )
    for at, detector in enumerate(view.detectors):
        middle = top + _ROW * (at + 0.5)
        if sheet.width <= NARROW:
            sheet.text(left - 12, middle, word(detector), anchor="right", tone="ink2")
        for part, symbol, offset in (("by-alarm", "circle", -0.16), ("rate", "circle-open", 0.16)):
            field = view.reader.quantity(view.field(detector, part))
            if field is None:
                continue
            low, high = ends(field)
            panel.dots(
                [share(field)], [at + 0.5 + offset], low=[low], high=[high], symbol=symbol, size=7,
                refs=[view.reader.ref(view.field(detector, part))], words=[word(detector)],
            )  # fmt: skip
        sheet.text(left + width, middle, _printed(view, detector), anchor="right", size=SMALL)
    sheet.text(left + width, top - 14, "fires where nothing changed", anchor="right", tone="ink3", size=SMALL)
    sheet.text(left + width, top + height + 31, "% of surrogates", anchor="right", tone="ink3", size=SMALL)
    return top + height + 38


def _printed(view: _View, detector: str) -> list[Run]:
    field = next(
        (name for part in ("by-alarm", "rate") if view.reader.quantity(name := view.field(detector, part))), ""
    )
    return view.reader.count(field) if field else [Run("")]


def _title(view: _View) -> str:
    fired = [one for one in view.detectors if view.reader.quantity(view.field(one, "alarm"))]
    if not fired:
        return f"No detector fires on {_series.words(view.name)}"
    rates = [view.reader.quantity(view.field(one, "by-alarm")) for one in fired]
    false = [share(one) for one in rates if one is not None]
    name = _series.words(view.name)
    if false and min(false) >= _DEAR:
        return f"Every alarm on {name} comes as readily where nothing changed"
    if false and max(false) >= _DEAR:
        return f"Some alarms on {name} come as readily where nothing changed"
    ends_ = [view.reader.quantity(view.field(one, "rate")) for one in fired]
    if any(share(one) >= 2 * _DEAR for one in ends_ if one is not None):
        return f"Alarms on {name} came early; left running, the same detectors fire where nothing changed"
    return f"Few series without a change raise the alarms on {name}"


def _meta(view: _View) -> dict[str, object]:
    caption: list[str | Run] = [
        "Above: the series. Below it the statistic of CUSUM, broken where it leaves the panel at three times its "
        "threshold (dashed). Then a row a detector: its alarm. Rates: how often it fires on series drawn again from "
        "the baseline in blocks, in which nothing changed; filled, between the baseline’s end and the alarm’s step, "
        "which is what the alarm cost, and printed; open, anywhere up to the end. "
    ]
    if view.reader.quantity("fired") and view.reader.quantity("expected"):
        caption += ["Over all series: ", view.reader.number("fired"), " fire, where chance gives "]
        caption += [view.reader.number("expected", "d1"), "."]
    return {
        "figure": "alarms",
        "of": view.reader.id,
        "title": _title(view),
        "desc": "A series of the run by step with its baseline shaded; below, a detector’s statistic against its "
        "threshold, the step at which each detector fired, and how often each fires where nothing changed.",
        "caption": sentence(*caption),
        "source": view.reader.scope(),
        "units": {"x": "optimizer step", "rates": "% of surrogates"},
        "table": _table(view),
        "rows": view.reader.table("alarms"),
    }


def _table(view: _View) -> dict[str, object]:
    rows: list[object] = []
    for detector in view.detectors:
        row: list[object] = [cell(word(detector))]
        for part in ("alarm", "by-alarm", "rate"):
            name = view.field(detector, part)
            known = view.reader.get(name) is not None
            row.append(cell(view.reader.number(name)) if known else cell(""))
        lead = view.reader.get(view.field(detector, "lead"))
        if isinstance(lead, Quantity):
            row.append(cell(view.reader.number(view.field(detector, "lead"))))
        else:
            row.append(cell("") if lead is None else declined(lead))  # type: ignore[arg-type]
        rows.append(row)
    columns = ["detector", "alarm at step", "surrogates by then", "surrogates by the end", "steps before the change"]
    return {"columns": columns, "rows": rows}
