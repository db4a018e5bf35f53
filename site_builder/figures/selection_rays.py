"""What selection asked of the update: one ray a rollout from its group's centre, long as its recorded advantage."""

from __future__ import annotations

from dataclasses import dataclass

from lens.reading import Columns
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
MOST = 192  # rays drawn at once; beyond, fewer groups at an even stride
_GAP = 46.0
_BETWEEN = 14.0  # px between groups
_TOP = 30.0
_ROWS = 24  # rollouts in the table under the drawing; its CSV holds all


@dataclass(frozen=True)
class _Group:
    """Rows of the table, the highest reward first and those without a score last."""

    step: int
    rows: list[int]


@figure("selection-rays", draws="advantages of a few groups, a ray a rollout", instruments=("selection",))
def selection_rays(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a selection record with its `rays` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("rays") or {}
    every = _groups(table)
    most = MOST if width == "wide" else MOST // 2
    stride = next(
        n for n in range(1, len(every) + 2) if sum(len(one.rows) for one in every[::n]) <= most or n > len(every)
    )
    groups = every[::stride]
    columns = 2 if width == "wide" and len(groups) > 1 else 1
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    across = (sheet.width - _GAP * (columns - 1)) / columns
    half = -(-len(groups) // columns)
    reach = max((abs(value) for value in table.get("advantage", []) if value is not None), default=1.0) or 1.0
    ticks = nice(-reach, reach, 6 if width == "wide" else 4)
    ends = [
        _column(sheet, reader, table, groups[at * half : (at + 1) * half], at * (across + _GAP), across, ticks)
        for at in range(columns)
    ]
    end = max(ends)
    sheet.text(0, 8, _counted(reader, len(groups) == len(every)), size=SMALL)
    sheet.text(sheet.width, end + 30, "recorded advantage", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(end + 38, _meta(reader, table, groups, thinned=stride > 1))


def _groups(table: Columns) -> list[_Group]:
    rows: dict[int, list[int]] = {}
    for at, group in enumerate(table.get("group", [])):
        rows.setdefault(group, []).append(at)

    def place(at: int) -> tuple[bool, float]:
        reward = table["reward"][at]
        return reward is None, -(reward or 0.0)

    return [_Group(table["step"][some[0]], sorted(some, key=place)) for some in rows.values()]


def _counted(reader: Reader, whole: bool) -> list[Run]:
    if not whole:
        return [Run("a part of the groups of the record, at an even stride", tone="ink3")]
    return [*reader.count("groups"), Run(" groups, at an even stride", tone="ink3")]


def _column(
    sheet: Sheet, reader: Reader, table: Columns, groups: list[_Group], left: float, width: float, ticks: list[float]
) -> float:
    labels = max((measure(_label(reader, one), SMALL) for one in groups), default=0.0) + 12
    pitch = 7.0 if max((len(one.rows) for one in groups), default=1) <= 8 else 4.0
    height = sum(len(one.rows) * pitch + _BETWEEN for one in groups)
    room = width - labels - 16
    panel = sheet.panel(
        left + labels, _TOP, room, height, axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True),
        hidden(height, 0),
    )  # fmt: skip
    at = 0.0
    centres: list[list[tuple[float, float]]] = []
    for one in groups:
        tall = len(one.rows) * pitch
        start = at + _BETWEEN / 2
        sheet.text(left + labels - 12, _TOP + start + tall / 2, _label(reader, one), anchor="right", size=SMALL)
        centres.append([(0.0, start), (0.0, start + tall)])
        _rays(panel, reader, table, one, [start + (n + 0.5) * pitch for n in range(len(one.rows))], pitch)
        at += tall + _BETWEEN
    panel.lines(centres, tone="ink3", width=1.5)
    return _TOP + height


def _label(reader: Reader, one: _Group) -> list[Run]:
    return [Run("step ", tone="ink3"), reader.number(f"rays/{one.rows[0]}/step", tone="ink2")]


def _rays(panel: Panel, reader: Reader, table: Columns, one: _Group, heights: list[float], pitch: float) -> None:
    sides: dict[str, list[int]] = {"up": [], "down": [], "still": [], "none": []}
    for n, row in enumerate(one.rows):
        advantage = table["advantage"][row]
        if table["reward"][row] is None:
            sides["none"].append(n)
        else:
            sides["still" if not advantage else "up" if advantage > 0 else "down"].append(n)
    size = 5.0 if pitch > 5 else 3.5
    for side, tone in (("up", "s1"), ("down", "s2"), ("still", "ink")):
        if some := sides[side]:
            values = [float(table["advantage"][one.rows[n]]) for n in some]
            paths = [[(0.0, heights[n]), (value, heights[n])] for n, value in zip(some, values, strict=True)]
            if side != "still":
                panel.lines(paths, tone=tone, width=1.5)  # type: ignore[arg-type]
            panel.dots(
                values, [heights[n] for n in some], tone=tone, size=size,  # type: ignore[arg-type]
                refs=[reader.ref(f"rays/{one.rows[n]}/advantage") for n in some],
            )  # fmt: skip
    if some := sides["none"]:
        values = [float(table["advantage"][one.rows[n]] or 0.0) for n in some]
        panel.dots(
            values, [heights[n] for n in some], symbol="circle-open", size=size + 2,
            refs=[reader.ref(f"rays/{one.rows[n]}/advantage") for n in some],
        )  # fmt: skip


def _title(reader: Reader) -> str:
    agree = reader.quantity("agree")
    if agree is None or agree.of is None:
        return "In no group did rewards differ, so selection had nothing to go by"
    if agree.value == agree.of:
        return "Every scored rollout was pushed to the side of its group it stood on"
    return "Some rollouts were pushed against the side of their group they stood on"


def _meta(reader: Reader, table: Columns, groups: list[_Group], *, thinned: bool) -> dict[str, object]:
    caption: list[str | Run] = [
        "One ray a rollout, from its group’s centre, as long as the advantage that was recorded; right is up, left is "
        "down. In a group the highest reward stands on top. "
    ]
    if any(value is None for value in table.get("reward", [])):
        caption.append("Rings: rollouts without a score. ")
    if reader.quantity("agree"):
        caption += ["Pushed the way they stood from their group’s mean: ", reader.number("agree"), " of the run. "]
    if thinned:
        caption.append("Not all groups of the record are drawn here; its table has them. ")
    return {
        "figure": "selection-rays",
        "of": reader.id,
        "title": _title(reader),
        "desc": "For each of some groups, one horizontal ray a rollout from a common centre line: to the right by its "
        "advantage where it was pushed up, to the left where it was pushed down, a ring where it has no score.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "recorded advantage"},
        "table": _table(reader, table, groups),
        "rows": table,
    }


def _table(reader: Reader, table: Columns, groups: list[_Group]) -> dict[str, object]:
    rows: list[object] = []
    for row in [row for one in groups for row in one.rows][:_ROWS]:
        made: list[object] = [cell(reader.number(f"rays/{row}/step"))]
        for name in ("reward", "advantage"):
            known = table[name][row] is not None
            made.append(cell(reader.number(f"rays/{row}/{name}") if known else "none"))
        rows.append(made)
    return {"columns": ["step", "reward", "advantage"], "rows": rows}
