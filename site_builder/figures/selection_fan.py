"""Selection as a fan a group: each rollout a ray from its group's centre to its recorded advantage."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures._histogram import outline
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, hidden
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 590.0
_LEFT = 34.0
_TOP = 30.0
_TALL = 226.0
_SIDE = 96.0  # the histogram of all advantages, on the same axis
_GAP = 30.0
_SPAN = 0.72  # of a group's room, that its rays fan over


@figure("selection-fan", draws="advantages of a few groups as fans, and all of the run", instruments=("selection",))
def selection_fan(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a selection record with its `rays` table; the histogram is of its neighbour `advantages`."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("rays") or {}
    groups = _groups(table)
    if width == "narrow":
        groups = groups[:: 2 if len(groups) > 8 else 1]
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    every = reader.neighbour("advantages")
    spread = every.table("spread") if every else None
    room = sheet.width - _LEFT - (_SIDE + _GAP if spread else 0.0)
    known = [abs(one) for one in table.get("advantage", []) if one is not None]
    reach = max([*known, *(abs(one) for one in (spread or {}).get("high", [])), 1e-9])
    ticks = nice(-reach, reach, 4)
    y = axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True)
    panel = sheet.panel(_LEFT, _TOP, room, _TALL, hidden(0, max(1, len(groups))), y)
    for at, rows in enumerate(groups):
        _fan(panel, reader, table, at, rows)
    _steps(sheet, reader, groups, room)
    sheet.text(0, 8, "recorded advantage", tone="ink3", size=SMALL)
    end = _TOP + _TALL + 40
    if every is not None and spread:
        _side(sheet, every, spread, (ticks[0], ticks[-1]))
        end = _below(sheet, reader, every, end, wide=width == "wide")
    return sheet.spec(end + 4, _meta(reader, table, groups, every))


def _groups(table: Columns) -> list[list[int]]:
    """Rows of the table by group: by advantage, those without a score last."""
    rows: dict[int, list[int]] = {}
    for at, group in enumerate(table.get("group", [])):
        rows.setdefault(group, []).append(at)

    def place(at: int) -> tuple[bool, float]:
        return table["reward"][at] is None, table["advantage"][at] or 0.0

    return [sorted(some, key=place) for some in rows.values()]


def _fan(panel: Panel, reader: Reader, table: Columns, at: int, rows: list[int]) -> None:
    centre = at + (1 - _SPAN) / 2
    step = _SPAN / max(1, len(rows) - 1)
    sides: dict[str, list[tuple[float, float, int]]] = {"s1": [], "s2": [], "ink": [], "none": []}
    for n, row in enumerate(rows):
        value = float(table["advantage"][row] or 0.0)
        side = "none" if table["reward"][row] is None else "s1" if value > 0 else "s2" if value < 0 else "ink"
        sides[side].append((centre + n * step, value, row))
    middle = at + 0.5
    for side in ("s1", "s2", "ink"):
        if some := sides[side]:
            if side != "ink":
                panel.lines([[(middle, 0.0), (x, value)] for x, value, _ in some], tone=side, width=1.25)  # type: ignore[arg-type]
            _dots(panel, reader, some, tone=side, size=5)
    if some := sides["none"]:
        _dots(panel, reader, some, symbol="circle-open", size=7)


def _dots(panel: Panel, reader: Reader, some: list[tuple[float, float, int]], **look: object) -> None:
    refs = [reader.ref(f"rays/{row}/advantage") for _, _, row in some]
    panel.dots([x for x, _, _ in some], [value for _, value, _ in some], refs=refs, flat=False, **look)  # type: ignore[arg-type]


def _steps(sheet: Sheet, reader: Reader, groups: list[list[int]], room: float) -> None:
    """The step of some groups, under their fans."""
    stride = max(1, -(-len(groups) // 5))
    pitch = room / max(1, len(groups))
    for at in range(0, len(groups), stride):
        number = reader.number(f"rays/{groups[at][0]}/step", "k", tone="ink3")
        sheet.text(_LEFT + (at + 0.5) * pitch, _TOP + _TALL + 14, number, anchor="center", size=SMALL)
    sheet.text(_LEFT + room, _TOP + _TALL + 32, "optimizer step", anchor="right", tone="ink3", size=SMALL)


def _side(sheet: Sheet, every: Reader, spread: Columns, ends: tuple[float, float]) -> None:
    """All advantages of the run but exact zeros, on the same axis."""
    left = sheet.width - _SIDE
    most = max(spread["rollouts"], default=1) or 1
    panel = sheet.panel(left, _TOP, _SIDE, _TALL, hidden(0, most), hidden(*ends))
    corners = [(count, value) for value, count in outline(spread["low"], spread["high"], spread["rollouts"])]
    panel.band(corners, tone="ink")
    panel.line([0, 0], list(ends), tone="rule", width=1)
    sheet.text(sheet.width, 8, [Run("all ", tone="ink3"), every.number("zero", "of")], anchor="right", size=SMALL)


def _below(sheet: Sheet, reader: Reader, every: Reader, top: float, *, wide: bool) -> float:
    """Whom selection left where it was: exact zeros, and how many of them had no score."""
    line = [Run("exactly zero: ", tone="ink3"), *every.count("zero")]
    tree = reader.neighbour("score-tree")
    silent = tree.quantity("abstained") if tree else None
    if tree is None or silent is None or not silent.value:
        sheet.text(0, top + 6, line, size=SMALL)
        return top + 14
    more = [Run("without a score: ", tone="ink3"), *tree.count("abstained")]
    if wide:
        sheet.text(0, top + 6, line, size=SMALL)
        sheet.text(250, top + 6, more, size=SMALL)
        return top + 14
    sheet.text(0, top + 6, line, size=SMALL)
    sheet.text(0, top + 24, more, size=SMALL)
    return top + 32


def _title(table: Columns) -> str:
    silent = [
        value for value, reward in zip(table.get("advantage", []), table.get("reward", []), strict=True)
        if reward is None
    ]  # fmt: skip
    if silent and not any(silent):
        return "Each rollout is pushed from its group’s centre; one without a score is pushed nowhere"
    return "Each rollout is pushed up or down from its group’s centre"


def _meta(reader: Reader, table: Columns, groups: list[list[int]], every: Reader | None) -> dict[str, object]:
    caption: list[str | Run] = [
        "One fan a group, one ray a rollout, from the group’s centre to the advantage that training used. "
    ]
    if any(value is None for value in table.get("reward", [])):
        caption.append("Rings: rollouts without a score. ")
    if every is not None:
        caption.append("Right: every advantage of the run on the same axis, exact zeros apart. ")
    caption.append("Groups are drawn at an even stride over the run; the CSV has those of the record. ")
    rows: list[object] = []
    for row in [row for some in groups for row in some][:8]:
        made: list[object] = [cell(reader.number(f"rays/{row}/step"))]
        for name in ("reward", "advantage"):
            known = table[name][row] is not None
            made.append(cell(reader.number(f"rays/{row}/{name}") if known else "none"))
        rows.append(made)
    return {
        "figure": "selection-fan",
        "of": reader.id,
        "title": _title(table),
        "desc": "Fans of rays, one a group along the run: each ray goes up or down from zero to one rollout’s recorded "
        "advantage. Beside them a histogram of every advantage of the run on the same axis.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"y": "recorded advantage", "x": "optimizer step"},
        "table": {"columns": ["step", "reward", "advantage"], "rows": rows},
        "rows": table,
    }
