"""A scorecard drawn: what share of planted subjects is flagged, dose by dose, the decoys with it, and what the
instrument's own intervals are worth.
"""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns, Label, Quantity
from site_builder.figures import _ladder
from site_builder.figures._labels import spread
from site_builder.figures._readings import Reader, cell, ends, sentence, share
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, TEXT, Panel, Sheet, axis, beside, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.palette import Tone

WIDE, MEDIUM = 1120.0, 700.0
LIMIT, WANTED = 5.0, 90.0  # %: the most false flags that pass, and the power at which a dose counts as found
_TOP = 57.0
_NONE = 46.0  # px of the panel for subjects with nothing planted
_APART = 8.0  # px by which a decoy stands to the right of its dose
_ORDINAL = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_CARDINAL = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")


class _Dose(NamedTuple):
    """A positive dose: as its fields are named, and its size."""

    tag: str
    size: float


class _Side(NamedTuple):
    """Where a panel stands on the sheet, px."""

    left: float
    width: float
    height: float
    top: float = 0.0


@figure("dose-curve", draws="share flagged by dose, with decoys and coverage", instruments=("scorecard",))
def dose_curve(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a scorecard with its doses as fields; intervals are drawn from its `organisms` table where it has any."""
    reader = Reader(lookup, id)
    doses = _doses(reader)
    judged = _judged(reader)
    if width == "narrow":
        sheet = Sheet(NARROW)
        end = _flagged(sheet, reader, doses, _Side(0, NARROW, 190))
        if judged:
            end = _intervals(sheet, reader, doses, judged, _Side(0, NARROW, 170, end + 30))
    elif judged:
        sheet = Sheet(WIDE)
        end = _flagged(sheet, reader, doses, _Side(0, 600, 240))
        end = max(end, _intervals(sheet, reader, doses, judged, _Side(660, WIDE - 660, 240)))
    else:
        sheet = Sheet(MEDIUM)
        end = _flagged(sheet, reader, doses, _Side(0, MEDIUM, 240))
    return sheet.spec(end, _meta(reader, doses, judged))


def _doses(reader: Reader) -> list[_Dose]:
    found = [_Dose(tag, float(field.value)) for tag, field in reader.starting("dose") if isinstance(field, Quantity)]
    return sorted(found, key=lambda dose: dose.size)


def _judged(reader: Reader) -> Columns:
    """The rows of organisms for which an interval is claimed; empty where none is."""
    table: Columns = reader.table("organisms") or {"low": []}
    kept = [at for at, low in enumerate(table["low"]) if low is not None]
    return {name: [values[at] for at in kept] for name, values in table.items()} if kept else {}


def _less(rows: Columns) -> list[_ladder.Ends]:
    """Every interval less what was planted."""
    return [
        (low - truth, high - truth) for low, high, truth in zip(rows["low"], rows["high"], rows["planted"], strict=True)
    ]


def _flagged(sheet: Sheet, reader: Reader, doses: list[_Dose], side: _Side) -> float:
    """Share flagged against dose: nothing planted in a panel of its own, doses on a log scale. Returns the end."""
    up = axis(0, 100, ticks=(0, 50, WANTED, 100), suffix=" %", grid=True, zero=True)
    left = side.left + beside(up, 44)
    named = _names(reader, doses)
    right = max(measure(name, SMALL) for name, _, _ in named) + 22
    start = left + _NONE + 8
    room = side.left + side.width - right - start
    top = side.top + _TOP
    none = sheet.panel(left, top, _NONE, side.height, hidden(-1, 1), up)
    low, high = _reach(doses)
    panel = sheet.panel(
        start, top, room, side.height,
        axis(low, high, log=True, ticks=[dose.size for dose in doses], ticklen=4), {**up, "showticklabels": False},
    )  # fmt: skip
    for one, ends_at in ((none, (-1.0, 1.0)), (panel, (low, high))):
        one.line(list(ends_at), [LIMIT, LIMIT], tone="ink3", width=1, dash="dash")
    _dots(none, reader, [("false-positives", 0.0)], "ink")
    _dots(panel, reader, [(f"decoys.{dose.tag}", dose.size * (high / low) ** (_APART / room)) for dose in doses],
          "ink3", hollow=True)  # fmt: skip
    _dots(panel, reader, [(f"power.{dose.tag}", dose.size) for dose in doses], "ink", joined=True)
    _say_names(sheet, named, _Side(start, room, side.height, top))
    _smallest(sheet, reader, _Side(start, room, side.height, top), (low, high))
    sheet.text(side.left, side.top + 8, [Run("share flagged", bold=True), Run(", by dose", tone="ink3")])
    foot = top + side.height
    sheet.text(left + _NONE / 2, foot + 12, "none", anchor="center", tone="ink2", size=SMALL)
    if doses and (unit := reader.said(f"#dose.{doses[0].tag}@unit")):
        sheet.text(start + room, foot + 31, unit._replace(tone="ink3"), anchor="right", size=SMALL)
    return foot + 40


def _reach(doses: list[_Dose]) -> tuple[float, float]:
    sizes = [dose.size for dose in doses] or [1.0]
    return min(sizes) / 1.3, max(sizes) * 1.3


def _dots(
    panel: Panel, reader: Reader, at: list[tuple[str, float]], tone: Tone, *, hollow: bool = False, joined: bool = False
) -> None:
    """Shares with Wilson's intervals, of those fields that the card has."""
    found = [(name, x, field) for name, x in at if (field := reader.quantity(name)) is not None]
    if not found:
        return
    x, y = [x for _, x, _ in found], [share(field) for _, _, field in found]
    low, high = zip(*(ends(field) for _, _, field in found), strict=True)
    if joined:
        panel.line(x, y, tone=tone)
    panel.dots(
        x, y, tone=tone, symbol="circle-open" if hollow else "circle", size=8, low=list(low), high=list(high),
        flat=False, refs=[reader.ref(name) for name, _, _ in found],
    )  # fmt: skip


def _names(reader: Reader, doses: list[_Dose]) -> list[tuple[str, float, Tone]]:
    """What is named at the right end, at which height (%), in which tone."""
    found: list[tuple[str, float, Tone]] = [("most false flags", LIMIT, "ink3")]
    heads: tuple[tuple[str, str, Tone], ...] = (("power", "planted", "ink"), ("decoys", "decoy", "ink2"))
    for head, name, tone in heads:
        field = reader.quantity(f"{head}.{doses[-1].tag}") if doses else None
        if field is not None:
            found.append((name, share(field), tone))
    return found


def _say_names(sheet: Sheet, named: list[tuple[str, float, Tone]], side: _Side) -> None:
    edge, foot = side.left + side.width, side.top + side.height
    wanted = [foot - side.height * height / 100 for _, height, _ in named]
    for (name, _, tone), at, y in zip(named, wanted, spread(wanted, TEXT + 3, side.top, foot), strict=True):
        sheet.text(edge + 16, y, name, tone=tone, size=SMALL)
        if abs(at - y) > 2:
            sheet.rule(edge + 3, at, edge + 13, y)


def _smallest(sheet: Sheet, reader: Reader, side: _Side, reach: tuple[float, float]) -> None:
    """The smallest dose found nine times in ten: a line through it, and its size above the panel."""
    from math import log

    field = reader.quantity("smallest-dose")
    if field is None:
        _most(sheet, reader, side)
        return
    low, high = reach
    at = side.left + side.width * log(float(field.value) / low) / log(high / low)
    sheet.rule(at, side.top - 12, at, side.top + side.height, tone="s1", width=1.5)
    said = [Run("nine in ten from "), reader.number("smallest-dose", bold=True), Run(" on")]
    wide, edge = measure(said, SMALL), side.left + side.width
    sheet.text(min(max(side.left, at - wide / 2), edge - wide), side.top - 21, said, size=SMALL)


def _most(sheet: Sheet, reader: Reader, side: _Side) -> None:
    """The best that was found, where there is no dose from which on nine in ten are."""
    most, name = _best(reader)
    if name:
        tail = ", and less at the largest" if most >= WANTED else ": no dose nine in ten"
        said = [Run("at best "), reader.number(name, "count"), Run(tail)]
        sheet.text(side.left, side.top - 21, said, tone="ink2", size=SMALL)


def _best(reader: Reader) -> tuple[float, str]:
    """The largest share found at any dose, %, and its field."""
    found = [(share(field), f"power.{tag}") for tag, field in reader.starting("power") if isinstance(field, Quantity)]
    return max(found, default=(0.0, ""))


def _intervals(sheet: Sheet, reader: Reader, doses: list[_Dose], rows: Columns, side: _Side) -> float:
    """Every interval less what was planted, in order of its middle, a column a dose. Returns the end."""
    columns = [one for one in (_Dose("0", 0.0), *doses) if one.size in rows["dose"]]
    apart: dict[float, list[_ladder.Ends]] = {one.size: [] for one in columns}
    for dose, ends_at in zip(rows["dose"], _less(rows), strict=True):
        apart[dose].append(ends_at)
    ticks = _ladder.ticks(_less(rows))
    up = axis(ticks[0], ticks[-1], ticks=ticks, grid=True)
    left = side.left + beside(up, 44)
    room = side.left + side.width - left
    top = side.top + _TOP
    panel = sheet.panel(left, top, room, side.height, hidden(0, len(columns)), up)
    panel.line([0, len(columns)], [0, 0], tone="ink", width=1)
    _ladder.draw(panel, [sorted(apart[one.size], key=sum) for one in columns], ticks)
    for at, one in enumerate(columns):
        middle = left + room * (at + 0.5) / len(columns)
        held = reader.number(f"coverage.{one.tag}", "count")
        if measure(held, SMALL) > room / len(columns) - 6:
            held = reader.number(f"coverage.{one.tag}", "k")
        sheet.text(middle, top - 11, held, anchor="center", size=SMALL)
        under = reader.number(f"dose.{one.tag}", tone="ink2") if one.size else Run("none", tone="ink2")
        sheet.text(middle, top + side.height + 12, under, anchor="center", size=SMALL)
    head = [Run("interval less what is planted", bold=True), Run(", and how many hold it", tone="ink3")]
    sheet.text(side.left, side.top + 8, head)
    if "interval.of" in reader.fields and (unit := reader.said("#interval.of@note")):
        of = [reader.number("interval.of")._replace(mono=True), Run(", "), unit]
        sheet.text(side.left, side.top + 25, of, tone="ink3", size=SMALL)
    if doses and (unit := reader.said(f"#dose.{doses[0].tag}@unit")):
        sheet.text(left + room, top + side.height + 31, unit._replace(tone="ink3"), anchor="right", size=SMALL)
    return top + side.height + 40


_CAPTION = (
    "Share of planted subjects that are flagged, with Wilson’s interval; doses on a log scale, nothing planted at the "
    "left. ",
    "Open circles, set a little to the right: a decoy is flagged, which is there and of another kind. ",
    "Dashed: the most false flags that pass, one in twenty.",
    " Second panel: every interval less what was planted, in order; in colour, those that leave it out.",
    " An arrowhead goes on beyond the axis.",
)


def _meta(reader: Reader, doses: list[_Dose], judged: Columns) -> dict[str, object]:
    decoys = any(reader.quantity(f"decoys.{dose.tag}") for dose in doses)
    said = _CAPTION[0] + _CAPTION[1] * decoys + _CAPTION[2]
    if judged:
        said += _CAPTION[3] + _CAPTION[4] * _ladder.reaches_beyond(_less(judged))
    desc = "Share flagged against dose with intervals, the limit for false flags dashed"
    desc += ", decoys as open circles" * decoys
    desc += "; a second panel has each interval less what was planted, a column a dose" * bool(judged)
    kept: dict[str, object] = {"rows": judged} if judged else {}
    return {
        "figure": "dose-curve",
        "of": reader.id,
        "title": _title(reader, doses),
        "desc": f"{desc}.",
        "caption": sentence(said),
        "source": reader.scope(),
        "units": {"x": "dose", "y": "% flagged"},
        "table": _table(reader, doses),
        **kept,
    }


def _title(reader: Reader, doses: list[_Dose]) -> str:
    smallest = reader.quantity("smallest-dose")
    place = next((at for at, dose in enumerate(doses) if smallest and dose.size == smallest.value), None)
    if place is None:
        found = "The largest dose is found less often than a smaller one" if _best(reader)[0] >= WANTED else _NEVER
    elif place == 0:
        found = "The smallest dose planted is found"
    else:
        many = len(doses) >= len(_CARDINAL)
        found = f"Found from the {_ORDINAL[place]} of {_CARDINAL[len(doses)]} doses on" if not many else _LATER
    wrong = next((words for name, words in _WRONG if _fails(reader, name)), "")
    held = reader.quantity("coverage")
    if not wrong and held is not None and _fails(reader, "coverage"):
        wrong = "its intervals are wider than they say" if share(held) > _NOMINAL else _MISSED
    return f"{found}, {'and' if place is None else 'but'} {wrong}" if wrong else found


_NEVER = "No dose is found nine times in ten"
_LATER = "Found, but not at the smallest dose"
_NOMINAL = 95.0  # %: what an interval says that it holds
_MISSED = "its intervals miss what was planted too often"
_WRONG = (
    ("false-positives", "what is not planted is flagged too often"),
    ("decoys", "so is a decoy"),
    ("auc", "the largest is not told from none by size"),
)


def _fails(reader: Reader, criterion: str) -> bool:
    field = reader.get(f"holds.{criterion}")
    return isinstance(field, Label) and field.value == "no"


def _table(reader: Reader, doses: list[_Dose]) -> dict[str, object]:
    heads = ("flagged", "interval", "decoy flagged", "interval", "intervals that hold what is planted", "AUC")
    none = [cell("none"), *_rate(reader, "false-positives"), cell(""), cell(""), *_rate(reader, "coverage.0")[:1]]
    rows: list[object] = [[*none, cell("")]]
    for dose in doses:
        auc = f"auc.{dose.tag}"
        rows.append(
            [
                cell(reader.number(f"dose.{dose.tag}")),
                *_rate(reader, f"power.{dose.tag}"),
                *_rate(reader, f"decoys.{dose.tag}"),
                *_rate(reader, f"coverage.{dose.tag}")[:1],
                cell(reader.number(auc) if reader.quantity(auc) else ""),
            ]
        )
    return {"columns": ["dose", *heads], "rows": rows}


def _rate(reader: Reader, name: str) -> list[list[list[str]]]:
    if reader.quantity(name) is None:
        return [cell(""), cell("")]
    return [cell(reader.number(name, "count")), cell(reader.number(name, "pctinterval"))]
