"""A labelled run, one alarm on it, and what that alarm does on noise: at the chosen baseline and at every other."""

from __future__ import annotations

from lens.reading import Columns, Interval
from site_builder.figures import _steps
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, measure
from site_builder.figures._signals import UNITS, first_of, places, series_name
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
_LEFT = 44.0
_TALL = 168.0
_STRIP = 300.0
_ROW = 17.0
_POINTS = 101  # of the labelled series, and twice as many of the watched one, at an even stride, its ends among them
_RULES = {"reproduce.central": "the variance’s central difference", "reproduce.level": "the variance’s level"}


@figure("warning", draws="a labelled series, an alarm, and its false alarms by baseline", instruments=("alarms",))
def warning(
    lookup: Lookup, id: str, width: Width, *, labelled: str = "exploits", rule: str = "reproduce.central"
) -> Spec:
    """`id` is an alarms record; its neighbours `transition` and `window-sweep` hold the labelled series' fit and the
    sweep. `rule` is what its fields `{rule}.alarm`, `.by-alarm` and `.rate` begin with."""
    reader = Reader(lookup, id)
    rule = rule if reader.get(f"{rule}.alarm") is not None else _first(reader)
    wide = width == "wide"
    sheet = Sheet(WIDE if wide else NARROW)
    room = sheet.width - _LEFT - (_STRIP + 70 if wide else 12.0)
    end = _labelled(sheet, reader, labelled, room, wide=wide)
    end = _watched(sheet, reader, rule, end + 30, room)
    if wide:
        end = max(end, _sweep(sheet, reader, rule, (sheet.width - _STRIP, 0.0), _STRIP))
    else:
        end = _sweep(sheet, reader, rule, (0.0, end + 26), sheet.width)
    return sheet.spec(end + 4, _meta(reader, labelled, rule))


def _first(reader: Reader) -> str:
    """The first detector on the first series watched, of a record without the rule asked for."""
    paths: Columns = reader.table("paths") or {"series": []}
    detector = next(one for one in paths if one not in ("series", "step", "value"))
    return f"{first_of(paths, '')}.{detector}"


def _words(rule: str) -> str:
    series, _, detector = rule.rpartition(".")
    return _RULES.get(rule, f"{series_name(series)}, by {detector.replace('-', ' ')}")


def _labelled(sheet: Sheet, reader: Reader, name: str, room: float, *, wide: bool) -> float:
    """The labelled series as dots, its fitted transition as a line, the midpoint's interval as a band."""
    change = reader.neighbour("transition")
    curve: Columns = (change.table("curve") if change else None) or {"series": []}
    name = first_of(curve, name if name in curve["series"] else "")
    rows = places(curve, series=name)
    steps = [curve["step"][at] for at in rows]
    sheet.text(0, 8, [Run(series_name(name), bold=True), Run(f", {UNITS.get(name, '')}", tone="ink3")])
    assert change is not None
    top = 26.0 if wide else 44.0
    midpoint = change.quantity(f"{name}.midpoint")
    if midpoint is not None:
        line = [Run("midpoint of the change, step ", tone="ink3"), change.number(f"{name}.midpoint")]
        place = (_LEFT + room, 8.0, "right") if wide else (0.0, 27.0, "left")
        sheet.text(place[0], place[1], line, anchor=place[2], size=SMALL)  # type: ignore[arg-type]
    values = [curve["value"][at] for at in rows]
    ticks = nice(min(0.0, *values), max(values), 3)
    x = _steps.steps_axis(steps) | {"showticklabels": False}
    panel = sheet.panel(_LEFT, top, room, _TALL, x, axis(ticks[0], ticks[-1], ticks=ticks, grid=True))
    if midpoint is not None:
        _band(panel, midpoint.interval, ticks)
    some = _steps.shown(len(rows), _POINTS)
    panel.dots([steps[at] for at in some], [values[at] for at in some], tone="s1", size=3.5, flat=False)
    panel.line([steps[at] for at in some], [curve["fitted"][rows[at]] for at in some], tone="ink", width=1.5)
    return top + _TALL


def _band(panel: Panel, interval: Interval | None, ticks: list[float]) -> None:
    if interval is not None:
        low, high = interval.low, interval.high
        panel.band([(low, ticks[0]), (high, ticks[0]), (high, ticks[-1]), (low, ticks[-1])])


def _watched(sheet: Sheet, reader: Reader, rule: str, top: float, room: float) -> float:
    """The series that is watched, the baseline under its axis, and the alarm."""
    paths: Columns = reader.table("paths") or {"series": []}
    name = first_of(paths, "" if rule in _RULES else rule.rpartition(".")[0])
    rows = places(paths, series=name)
    steps, values = [paths["step"][at] for at in rows], [paths["value"][at] for at in rows]
    known = [one for one in values if one is not None]
    ticks = nice(min([0.0, *known]), max([*known, 1e-9]), 3)
    sheet.text(0, top, [Run(series_name(name), bold=True), Run(f", {UNITS.get(name, '')}", tone="ink3")])
    panel = sheet.panel(
        _LEFT, top + 18, room, _TALL, _steps.steps_axis(steps, count=8 if room > 400 else 4),
        axis(ticks[0], ticks[-1], ticks=ticks, grid=True),
    )  # fmt: skip
    if (baseline := reader.quantity("baseline")) is not None:
        last = steps[0] - 0.5 + float(baseline.value)
        panel.line([steps[0] - 0.5, last], [ticks[0], ticks[0]], tone="ink", width=5)
    some = _steps.shown(len(steps), 2 * _POINTS - 1)
    _steps.line(panel, [steps[at] for at in some], [values[at] for at in some], tone="ink", width=1.25)
    alarm = reader.quantity(f"{rule}.alarm")
    end = top + 18 + _TALL
    if alarm is not None:
        step = float(alarm.value)
        panel.line([step, step], [ticks[0], ticks[-1]], tone="s2", width=1.5)
        place = _LEFT + room * (step - steps[0] + 0.5) / (steps[-1] - steps[0] + 1)
        line = [Run("alarm, step "), reader.number(f"{rule}.alarm", bold=True)]
        left = place - 7 - measure(line, SMALL) < _LEFT
        sheet.text(
            place + 7 if left else place - 7, top + 30, line, anchor="left" if left else "right", tone="s2t", size=SMALL
        )
    if baseline is not None:
        words = [Run("thick: the baseline, ", tone="ink3"), reader.number("baseline"), Run(" steps", tone="ink3")]
        sheet.text(_LEFT, end + 31, words, size=SMALL)
    sheet.text(_LEFT + room, end + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return end + 38


def _sweep(sheet: Sheet, reader: Reader, rule: str, place: tuple[float, float], width: float) -> float:
    """How often the same rule fires on shuffled baselines, a row a baseline; the run's own is marked."""
    left, top = place
    sweep = reader.neighbour("window-sweep")
    table: Columns = (sweep.table("windows") if sweep else None) or {}
    named = rule.replace(".", "-") if rule in _RULES else rule.rpartition(".")[2]
    rows = places(table, rule=named) if table else []
    if sweep is None or not rows:
        return top  # the sweep is of the first series alone
    sheet.text(left, top + 8, Run("the same alarm where nothing changes", bold=True))
    sheet.text(left, top + 27, "% of surrogates, by baseline in steps", tone="ink3", size=SMALL)
    names = 38.0
    room = width - names - 24
    height = len(rows) * _ROW
    ticks = [0.0, 50.0, 100.0]
    low = top + 44
    panel = sheet.panel(
        left + names, low, room, height, axis(0, 100, ticks=ticks, suffix="\u202f%", grid=True, zero=True),
        axis(len(rows), 0) | {"visible": False},
    )  # fmt: skip
    baseline = reader.quantity("baseline")
    for at, row in enumerate(rows):
        own = baseline is not None and table["window"][row] == baseline.value
        if own:
            panel.band([(0, at), (100, at), (100, at + 1), (0, at + 1)])
        if own or at % 4 == 0:
            number = sweep.number(f"windows/{row}/window", "k", bold=own, tone=None if own else "ink3")
            sheet.text(left + names - 12, low + (at + 0.5) * _ROW, number, anchor="right", size=SMALL)
    late = [at for at, row in enumerate(rows) if not table["in-control"][row]]
    if late:
        panel.plates([(0, 100, late[0], late[-1] + 1)], outline=False, why="the baseline reaches the change")
    for control in (True, False):
        some = [at for at, row in enumerate(rows) if table["in-control"][row] is control]
        if some:
            panel.dots(
                [100 * table["rate"][rows[at]] for at in some], [at + 0.5 for at in some],
                low=[100 * table["low"][rows[at]] for at in some], high=[100 * table["high"][rows[at]] for at in some],
                symbol="circle" if control else "circle-open", size=6,
                refs=[sweep.ref(f"windows/{rows[at]}/rate") for at in some],
            )  # fmt: skip
    return low + height + 24


def _title(reader: Reader, rule: str) -> str:
    alarm, onset = reader.quantity(f"{rule}.alarm"), reader.quantity("onset")
    rate = reader.quantity(f"{rule}.rate")
    if alarm is None:
        return "No alarm on this run"
    early = onset is not None and alarm.value < onset.value
    head = "The alarm came before the change" if early else "The alarm came after the change"
    if rate is None or rate.interval is None:
        return head
    return f"{head}; it also comes where nothing changes" if rate.interval.low > 0.05 else head


def _meta(reader: Reader, labelled: str, rule: str) -> dict[str, object]:
    caption: list[str | Run] = [
        "First the share of rollouts labelled as exploits, with the fitted change and its midpoint’s interval (band); "
        f"under it the series that is watched, with the alarm on {_words(rule)}. Both are drawn at an even "
        "stride of steps. Then the share of series drawn again from the baseline, in which nothing changes, on which "
        "the same rule fires, for every baseline that could have been chosen; the shaded row is the one used. "
    ]
    if reader.quantity(f"{rule}.rate") and reader.quantity(f"{rule}.by-alarm"):
        caption += ["There it fires on ", reader.number(f"{rule}.rate"), " by the end and on "]
        caption += [reader.number(f"{rule}.by-alarm"), " by the alarm’s step. "]
    caption.append("Hatched: baselines that reach into the change.")
    rows: list[object] = []
    for name, words in (
        ("baseline", "baseline"), (f"{rule}.alarm", "alarm at step"), (f"{rule}.available", "known at step"),
        ("onset", "the change"), (f"{rule}.lead", "steps before the change"),
        (f"{rule}.by-alarm", "surrogates by then"), (f"{rule}.rate", "surrogates by the end"),
    ):  # fmt: skip
        if reader.quantity(name):
            rows.append([cell(words), cell(reader.number(name))])
    change = reader.neighbour("transition")
    if change is not None and change.quantity(f"{labelled}.midpoint"):
        for part in ("midpoint", "width"):
            rows.append([cell(f"{part} of the change"), cell(change.number(f"{labelled}.{part}"))])
    return {
        "figure": "warning",
        "of": reader.id,
        "title": _title(reader, rule),
        "desc": "Two panels on one time axis: a labelled series with its fitted change, and the watched series with "
        "its alarm before it. Beside them, the alarm’s rate on series without a change for every baseline.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "optimizer step", "rates": "% of surrogates"},
        "table": {"columns": ["of the alarm", "value"], "rows": rows},
        "rows": reader.table("alarms"),
    }
