"""The whole window sweep: how often a rule fires where nothing changed, and when it fires, at every baseline."""

from __future__ import annotations

from dataclasses import dataclass

from lens.reading import Columns
from site_builder.figures import _steps
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, TEXT, Sheet, axis
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
_LEFT = 52.0
_HEAD = 24.0
_TALL = 150.0
_LOW = 74.0
_GAP = 20.0
_WORDS = {
    "cusum": "CUSUM",
    "backward-difference": "backward difference",
    "reproduce-central": "recipe, central",
    "reproduce-level": "recipe, level",
}


@dataclass(frozen=True)
class _Scale:
    """What all panels share: ticks of windows and of alarms."""

    windows: list[int]
    across: list[float]
    alarms: list[float]


@figure("window-sweep", draws="false-alarm rate and alarm at every baseline", instruments=("window-sweep",))
def window_sweep(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a window-sweep record with its `windows` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("windows") or {}
    rules = list(dict.fromkeys(table["rule"]))
    fired = [step for step in table["alarm"] if step is not None] or [0, 1]
    windows = sorted(set(table["window"]))
    scale = _Scale(windows, nice(windows[0], windows[-1], 4), nice(min(fired), max(fired), 2))
    across = min(4, len(rules)) if width == "wide" else min(2, len(rules))
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    left = _LEFT
    span = (sheet.width - left - 6 - _GAP * (across - 1)) / across
    deep = _HEAD + _TALL + 30 + _LOW + 46
    for at, rule in enumerate(rules):
        row, column = divmod(at, across)
        rows = [n for n, one in enumerate(table["rule"]) if one == rule]
        place = (left + column * (span + _GAP), row * deep, span)
        _panel(sheet, reader, table, rows, scale, place, first=column == 0)
        size = TEXT if width == "wide" else SMALL
        middle = place[1] + _HEAD + _TALL + 13
        sheet.text(place[0] + span, middle, _range(reader, rule), anchor="right", size=SMALL)
        sheet.text(place[0], place[1] + 8, Run(_WORDS.get(rule, rule.replace("-", " ")), bold=True), size=size)
    end = deep * -(-len(rules) // across)
    sheet.text(sheet.width, end - 4, "steps taken for normal", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(end + 6, _meta(reader, table, rules))


def _panel(
    sheet: Sheet,
    reader: Reader,
    table: Columns,
    rows: list[int],
    scale: _Scale,
    place: tuple[float, float, float],
    *,
    first: bool,
) -> None:
    left, top, span = place
    pad = (scale.windows[-1] - scale.windows[0]) * 0.04 or 1.0
    x = axis(scale.windows[0] - pad, scale.windows[-1] + pad, line=True)
    ticks = [tick for tick in scale.across if scale.windows[0] <= tick <= scale.windows[-1]]
    labelled = axis(scale.windows[0] - pad, scale.windows[-1] + pad, ticks=ticks, line=True)
    rates = [0.0, 50.0, 100.0]
    y = axis(0, 100, ticks=rates, suffix="\u202f%", grid=True)
    low = axis(scale.alarms[0], scale.alarms[-1], ticks=scale.alarms, grid=True)
    if not first:
        y["showticklabels"] = low["showticklabels"] = False
    upper = sheet.panel(left, top + _HEAD, span, _TALL, x, y)
    lower = sheet.panel(left, top + _HEAD + _TALL + 30, span, _LOW, labelled, low)
    late = [table["window"][at] for at in rows if not table["in-control"][at]]
    if late:
        start = min(late) - pad / 2
        for panel, bottom, high in ((upper, 0.0, 100.0), (lower, scale.alarms[0], scale.alarms[-1])):
            panel.plates(
                [(start, scale.windows[-1] + pad, bottom, high)], outline=False, why="the baseline reaches the change"
            )
    for control in (True, False):
        some = [at for at in rows if table["in-control"][at] is control]
        symbol = "circle" if control else "circle-open"
        upper.dots(
            [table["window"][at] for at in some], [100 * table["rate"][at] for at in some],
            low=[100 * table["low"][at] for at in some], high=[100 * table["high"][at] for at in some], flat=False,
            symbol=symbol, size=6, refs=[reader.ref(f"windows/{at}/rate") for at in some],
        )  # fmt: skip
        heard = [at for at in some if table["alarm"][at] is not None]
        lower.dots(
            [table["window"][at] for at in heard], [table["alarm"][at] for at in heard], flat=False,
            symbol=symbol, size=5, refs=[reader.ref(f"windows/{at}/alarm") for at in heard],
        )  # fmt: skip
    if first:
        sheet.text(left - _LEFT, top + _HEAD + _TALL + 13, "alarm at step", tone="ink3", size=SMALL)


def _range(reader: Reader, rule: str) -> list[Run]:
    """The lowest and the highest rate over the baselines in control."""
    if reader.quantity(f"{rule}.lowest") is None:
        return [Run("none in control", tone="ink3")]
    low, high = (reader.number(f"{rule}.{name}", "pct0") for name in ("lowest", "highest"))
    return [low, Run(" to ", tone="ink3"), high]


def _title(reader: Reader) -> str:
    low, high = reader.quantity("cusum.lowest"), reader.quantity("cusum.highest")
    if low is None or high is None or not low.of or not high.of:
        return "The false-alarm rate at every baseline that could have been chosen"
    if high.value / high.of - low.value / low.of >= 0.1:
        return "How often it fires without a change hangs on the baseline that is chosen"
    return "How often it fires without a change hardly hangs on the baseline"


def _meta(reader: Reader, table: Columns, rules: list[str]) -> dict[str, object]:
    caption: list[str | Run] = [
        "One dot a baseline: above, the share of series without a change on which the rule fires, with its interval; "
        "below, the step at which it fires on the run. "
    ]
    if not all(table["in-control"]):
        caption.append("Hatched, rings: baselines that reach the change, and so are none. ")
    if reader.quantity("cusum.lowest") and reader.quantity("cusum.highest"):
        caption += ["CUSUM, over baselines in control: ", reader.number("cusum.lowest"), " to "]
        caption += [reader.number("cusum.highest"), " surrogates. "]
    if any(rule.startswith("reproduce") for rule in rules):
        caption.append(
            "Recipe: as published, of the central difference and of the level, alarms from the first step on."
        )
    return {
        "figure": "window-sweep",
        "of": reader.id,
        "title": _title(reader),
        "desc": "A panel for each rule: across, how many steps are taken for normal; up, the share of surrogates on "
        "which it fires, with intervals; beneath, the step of its alarm on the run.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "steps taken for normal", "y": "% of surrogates"},
        "table": _table(reader, table),
        "rows": table,
    }


def _table(reader: Reader, table: Columns) -> dict[str, object]:
    rows: list[object] = []
    for at in _steps.shown(len(table["window"]), 48):
        alarm = cell(reader.number(f"windows/{at}/alarm")) if table["alarm"][at] is not None else cell("none")
        rule = table["rule"][at]
        rows.append(
            [
                cell(_WORDS.get(rule, rule.replace("-", " "))),
                cell(reader.number(f"windows/{at}/window")),
                alarm,
                cell(reader.number(f"windows/{at}/fired")),
                cell(reader.number(f"windows/{at}/surrogates")),
                cell("yes" if table["in-control"][at] else "no"),
            ]
        )
    return {"columns": ["rule", "baseline", "alarm at step", "fired", "of surrogates", "in control"], "rows": rows}
