"""Every score of a run in one histogram, and beside the axis, not on it, the rollouts that got none."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures import _terms
from site_builder.figures._histogram import outline
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis, beside, hidden, past
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 590.0
_TOP = 30.0
_LEFT = 44.0
_TALL = 172.0
_RINGS = 400  # rollouts without a score that are drawn one by one; beyond, their part of the run is
_PITCH = 8.0


@figure("score-spread", draws="all scores of a run, and the rollouts without one", instruments=("score-tree",))
def score_spread(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a score-tree record with its `spread` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("spread") or {"low": [], "high": [], "rollouts": []}
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    _head(sheet, reader, wide=width == "wide")
    top = _TOP if width == "wide" else _TOP + 18
    _histogram(sheet, table, top, count=6 if width == "wide" else 4)
    end = _silent(sheet, reader, top + _TALL + 62)
    return sheet.spec(end + 6, _meta(reader, table))


def _leaf(reader: Reader) -> str:
    names = [name for name, _ in reader.ending("weight")]
    return _terms.words(names[0]) if len(names) == 1 else "the reward"


def _scored(reader: Reader) -> list[Run]:
    """How many have a score: the only leaf's own count, or what is left beside those without one."""
    names = [name for name, _ in reader.ending("scored")]
    return reader.count(f"{names[0]}.scored") if len(names) == 1 else []


def _head(sheet: Sheet, reader: Reader, *, wide: bool) -> None:
    line = [Run(_leaf(reader), bold=True)]
    if reader.quantity("low") and reader.quantity("high"):
        line += [Run(", from ", tone="ink3"), reader.number("low"), Run(" to ", tone="ink3"), reader.number("high")]
    sheet.text(0, 8, line)
    if scored := _scored(reader):
        said = [*scored, Run(" scored", tone="ink3")]
        if wide:
            sheet.text(sheet.width, 8, said, anchor="right", size=SMALL)
        else:
            sheet.text(0, 27, said, size=SMALL)


def _histogram(sheet: Sheet, table: Columns, top: float, *, count: int) -> None:
    low, high = min(table["low"], default=0.0), max(table["high"], default=1.0)
    start = 0.0 if 0 < low <= high - low else low  # zero is worth showing where it is near
    across = nice(start, high if high > start else start + 1.0, count)
    up = nice(0.0, max(table["rollouts"], default=1) or 1, 3)
    x, y = axis(across[0], across[-1], ticks=across, line=True), axis(0.0, up[-1], ticks=up, grid=True)
    left = beside(y, _LEFT)
    room = sheet.width - left - past(x, sheet.width - left, 8)
    panel = sheet.panel(left, top, room, _TALL, x, y)
    if table["rollouts"]:
        panel.band(outline(table["low"], table["high"], table["rollouts"]), tone="ink")
    sheet.text(left + room, top + _TALL + 31, "rollouts by score", anchor="right", tone="ink3", size=SMALL)


def _silent(sheet: Sheet, reader: Reader, top: float) -> float:
    """The rollouts without a score: a ring each, or where there are many, their part of the run as an outline."""
    field = reader.quantity("abstained")
    if field is None or not field.of:
        return top - 24
    sheet.text(0, top, [Run("without a score ", bold=True), *reader.count("abstained")])
    if not field.value:
        return top + 12
    room = sheet.width - 8
    count = int(field.value)
    if count > _RINGS:
        panel = sheet.panel(0, top + 16, room, 14, hidden(0, field.of), hidden(0, 1))
        corners = [(0.0, 0.0), (float(count), 0.0), (float(count), 1.0), (0.0, 1.0), (0.0, 0.0)]
        panel.lines([corners, [(0.0, 0.5), (float(field.of), 0.5)]], tone="ink2", width=1)
        return top + 36
    columns = int(room // _PITCH)
    rows = -(-count // columns)
    panel = sheet.panel(
        0, top + 14, columns * _PITCH, rows * _PITCH, hidden(0, columns), hidden(rows, 0)
    )  # fmt: skip
    x = [at % columns + 0.5 for at in range(count)]
    y = [at // columns + 0.5 for at in range(count)]
    panel.dots(x, y, symbol="circle-open", size=5, words=["without a score"] * count)
    return top + 14 + rows * _PITCH


def _title(reader: Reader) -> str:
    silent = reader.quantity("abstained")
    leaves = reader.quantity("leaves")
    one = "One leaf" if leaves is not None and leaves.value == 1 else "The reward"
    if silent is None or not silent.value:
        return f"{one} scored every rollout"
    if silent.of and silent.value > silent.of / 2:
        return f"{one} was silent on most rollouts"
    return f"{one} scored most rollouts and was silent on the rest"


def _meta(reader: Reader, table: Columns) -> dict[str, object]:
    caption: list[str | Run] = ["Bars: rollouts by score, in bins of equal width. "]
    silent = reader.quantity("abstained")
    if silent is not None and silent.value:
        rings = "one a ring" if silent.value <= _RINGS else "outlined as their part of the run"
        caption.append(f"Below, off the axis: rollouts without a score, {rings}; none of them is a zero. ")
    if len([name for name, _ in reader.ending("weight")]) == 1:
        caption.append("One leaf is no decomposition: there is nothing to take apart.")
    rows: list[object] = []
    for name in ("low", "high", "abstained", "leaves"):
        if reader.quantity(name):
            rows.append([cell({"low": "lowest", "high": "highest", "abstained": "without a score"}.get(name, name)),
                         cell(reader.number(name))])  # fmt: skip
    return {
        "figure": "score-spread",
        "of": reader.id,
        "title": _title(reader),
        "desc": "A histogram of every score in the run; below it, apart from its axis, the rollouts that got no score.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "score", "y": "rollouts"},
        "table": {"columns": ["of the reward", "value"], "rows": rows},
        "rows": table,
    }
