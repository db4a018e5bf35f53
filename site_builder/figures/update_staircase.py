"""One update taken apart: each rollout's part of the summed gradient, and every step beside its references."""

from __future__ import annotations

import statistics

from lens.reading import Columns
from site_builder.figures import _steps
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis, beside, hidden, past
from site_builder.figures.update_partition import medians, steps_table, title
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 590.0
_LEFT = 40.0
_ROW = 17.0
_TALL = 150.0
_POINTS = 49  # steps drawn: of a longer run an even stride, its ends among them
_MOST = 16  # rollouts of a step drawn: of a larger one those that gave most, and the caption says so


@figure("update-staircase", draws="one update by rollout, and cancellation by step", instruments=("update-partition",))
def update_staircase(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is an update-partition record with its tables; the step drawn is the one nearest the median."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("steps") or {}
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    step = _typical(table)
    end = _stairs(sheet, reader, step, wide=width == "wide") if step is not None else 0.0
    end = _every(sheet, reader, table, end + 26, wide=width == "wide")
    return sheet.spec(end + 6, _meta(reader, table, step))


def _typical(table: Columns) -> int | None:
    """The place of the step whose cancellation is nearest the median of all."""
    known = [(value, at) for at, value in enumerate(table.get("cancellation", [])) if value is not None]
    if not known:
        return None
    median = statistics.median(value for value, _ in known)
    return min(known, key=lambda one: (abs(one[0] - median), one[1]))[1]


def _rows(reader: Reader, at: int) -> list[int]:
    """The rollouts of a step in their table, the largest part first."""
    table, steps = reader.table("rollouts") or {}, reader.table("steps") or {}
    rows = [row for row, step in enumerate(table.get("step", [])) if step == steps["step"][at]]
    kept = sorted(rows, key=lambda row: -abs(table["share"][row]))[:_MOST]
    return sorted(kept, key=lambda row: -table["share"][row])


def _stairs(sheet: Sheet, reader: Reader, at: int, *, wide: bool) -> float:
    table = reader.table("rollouts") or {}
    rows = _rows(reader, at)
    head = [Run("step ", bold=True), reader.number(f"steps/{at}/step", "k", bold=True)]
    sheet.text(0, 8, [*head, Run(", rollout by rollout", tone="ink3")])
    left, room = 8.0, sheet.width - 72
    total, reach = 0.0, [0.0, 1.0]
    stairs: list[tuple[float, float, int]] = []
    for row in rows:
        share = float(table["share"][row])
        stairs.append((total, total + share, row))
        total += share
        reach.append(total)
    ticks = nice(min(reach), max(reach), 5 if wide else 3)
    height = len(rows) * _ROW
    panel = sheet.panel(
        left, 26, room, height, axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True), hidden(len(rows), 0)
    )
    panel.lines([[(end, n + 0.5), (end, n + 1.5)] for n, (_, end, _) in enumerate(stairs[:-1])], tone="rule", width=1)
    for tone, sign in (("s1", 1), ("s2", -1)):
        bars = [[(a, n + 0.5), (b, n + 0.5)] for n, (a, b, _) in enumerate(stairs) if (b - a) * sign > 0]
        if bars:
            panel.lines(bars, tone=tone, width=6)  # type: ignore[arg-type]
    panel.line([1.0, 1.0], [0, len(rows)], tone="ink", width=1, dash="dash")
    for n, (_, _, row) in enumerate(stairs):
        number = reader.number(f"rollouts/{row}/share", "d2")
        sheet.text(sheet.width, 26 + (n + 0.5) * _ROW, number, anchor="right", size=SMALL)
    sheet.text(left + room, 26 + height + 31, "part of the summed gradient", anchor="right", tone="ink3", size=SMALL)
    return 26 + height + 38


def _every(sheet: Sheet, reader: Reader, table: Columns, top: float, *, wide: bool) -> float:
    """What cancels by step, over the band of the same gradients under permuted advantages."""
    drawn = _steps.shown(len(table["step"]), _POINTS)
    steps, share, low, high, orthogonal = (
        [table[name][at] for at in drawn]
        for name in ("step", "cancellation", "permuted-low", "permuted-high", "orthogonal")
    )
    sheet.text(0, top, Run("every step", bold=True))
    line = medians(reader)
    if wide:
        sheet.text(sheet.width, top, line, anchor="right", size=SMALL)
    else:
        top += 18
        sheet.text(0, top, line, size=SMALL)
    known = [one for some in (share, low, high) for one in some if one is not None] or [0.0, 1.0]
    ticks = nice(min(known), max(known), 4)
    across, up = _steps.steps_axis(steps, count=6 if wide else 4), axis(ticks[0], ticks[-1], ticks=ticks, grid=True)
    left = beside(up, _LEFT)
    room = sheet.width - left - past(across, sheet.width - left, 4)
    panel = sheet.panel(left, top + 20, room, _TALL, across, up)
    _steps.gaps(panel, steps, share, ticks[-1], why="not parted")
    _steps.between(panel, steps, low, high)
    _steps.line(panel, steps, orthogonal, tone="s1", width=1.25, dash="dash")
    known_at = [at for at in drawn if table["cancellation"][at] is not None]
    for beyond, symbol, size in ((False, "circle", 4.0), (True, "circle-open", 7.0)):
        if some := [at for at in known_at if _beyond(table, at) is beyond]:
            panel.dots(
                [table["step"][at] for at in some], [table["cancellation"][at] for at in some], symbol=symbol,
                size=size, refs=[reader.ref(f"steps/{at}/cancellation") for at in some], flat=False,
            )  # fmt: skip
    end = top + 20 + _TALL
    sheet.text(0, end + 31, "share that cancels", tone="ink3", size=SMALL)
    sheet.text(sheet.width - 4, end + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return end + 38


def _beyond(table: Columns, at: int) -> bool:
    own, low, high = (table[name][at] for name in ("cancellation", "permuted-low", "permuted-high"))
    return low is not None and high is not None and not low <= own <= high


def _meta(reader: Reader, table: Columns, step: int | None) -> dict[str, object]:
    caption: list[str | Run] = []
    if step is not None:
        caption.append(
            "Above: the step nearest the median. Each bar is one rollout’s projection on the summed gradient, to the "
            "right with it, to the left against it; together they are the update (dashed). "
        )
        if len([one for one in (reader.table("rollouts") or {}).get("step", []) if one == table["step"][step]]) > _MOST:
            caption.append("Only those that gave most are drawn. ")
    caption.append(
        "Below: the share of gradient length that cancels, step by step; the band is what the same gradients cancel "
        "when advantages are dealt out again inside each group, without the outermost one in twenty. Dashed: "
        "gradients at right angles. "
    )
    if reader.quantity("beyond-permuted"):
        caption += ["Rings: outside the band, as are ", reader.number("beyond-permuted"), " steps of the run. "]
    if len(table["step"]) > _POINTS:
        caption.append("Steps are drawn at an even stride; the CSV has every one.")
    return {
        "figure": "update-staircase",
        "of": reader.id,
        "title": title(reader),
        "desc": "Bars one under another, each a rollout’s signed part of one summed gradient, adding up to the whole; "
        "below, dots by step: the share of gradient length that cancels, over a band of permutations.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "part of the summed gradient; optimizer step", "y": "share that cancels"},
        "table": steps_table(reader, table) | ({"rows": _told(reader, step)[1], "columns": _told(reader, step)[0]}
                                               if step is not None else {}),
        "rows": table,
    }  # fmt: skip


def _told(reader: Reader, step: int) -> tuple[list[str], list[object]]:
    """The rollouts of the step drawn."""
    rows: list[object] = []
    for row in _rows(reader, step):
        rows.append([cell(reader.number(f"rollouts/{row}/{name}", "d3")) for name in ("share", "norm", "advantage")])
    return ["part of the summed gradient", "gradient norm", "advantage"], rows
