"""Where each property becomes readable: the margin by depth, one small panel an axis, on one scale."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns
from site_builder.figures import _curves, _terms
from site_builder.figures._curves import Curve
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis, measure
from site_builder.figures.depth_curve import layer_ticks
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
_LEFT = 40.0
_HEAD = 24.0


class _Axis(NamedTuple):
    """One axis: its rows in the table, from the embedding to the last block."""

    name: str
    rows: list[int]
    mean: list[float]
    low: list[float | None]
    high: list[float | None]


@figure("depth-axes", draws="margin by depth, a panel an axis", instruments=("reward-lens",))
def depth_axes(lookup: Lookup, id: str, width: Width, *, mode: str = "own") -> Spec:
    """`id` is a reward-lens record with its `axes` table; `mode` is own or frozen."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("axes") or {"axis": []}
    found = _axes(table, mode)
    across, height = (_across(len(found)), 150.0) if width == "wide" else (2, 110.0)
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    reach = [value for one in found for value in (*one.mean, *one.low, *one.high) if value is not None]
    ticks = nice(min([0.0, *reach]), max([0.0, *reach]), 4)
    gap = 34.0 if width == "wide" else 22.0
    span = (sheet.width - _LEFT - 6 - gap * (across - 1)) / across
    top = 22.0
    sheet.text(0, 8, "margin, ru", tone="ink3", size=SMALL)
    for at, one in enumerate(found):
        row, column = divmod(at, across)
        _panel(sheet, reader, one, mode, _LEFT + column * (span + gap), top + row * (height + 58), span, height, ticks)
    end = top + (height + 58) * -(-len(found) // across)
    sheet.text(sheet.width, end, "blocks passed", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(end + 10, _meta(reader, table, found, mode))


def _across(count: int) -> int:
    """Panels a row: as few empty places as can be, and the panels no smaller than they need be."""
    return min((3, 4, 5), key=lambda across: (-count % across, across)) if count > 2 else 2


def _axes(table: Columns, mode: str) -> list[_Axis]:
    rows: dict[str, list[int]] = {}
    for at, name in enumerate(table["axis"]):
        rows.setdefault(name, []).append(at)

    def column(name: str, some: list[int]) -> list[float | None]:
        return [table[name][at] for at in some] if name in table else [None] * len(some)

    return [
        _Axis(name, some, [table[mode][at] for at in some], column(f"{mode}-low", some), column(f"{mode}-high", some))
        for name, some in rows.items()
    ]


def _panel(
    sheet: Sheet,
    reader: Reader,
    one: _Axis,
    mode: str,
    left: float,
    top: float,
    width: float,
    height: float,
    ticks: list[float],
) -> None:
    layers = len(one.mean) - 1
    first = left == _LEFT
    end = reader.number(f"axes/{one.rows[-1]}/{mode}")
    name = _terms.shortened(label(one.name), width - measure(end) - 14, 12.5)
    sheet.text(left, top + 8, Run(name, bold=True))
    sheet.text(left + width, top + 8, end, anchor="right", tone="ink2")
    labelled = layer_ticks(layers) if width > 200 else [0.0, float(layers)]
    panel = sheet.panel(
        left, top + _HEAD, width, height, axis(0, layers, ticks=labelled),
        axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True)
        if first
        else {**axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True), "showticklabels": False},
    )  # fmt: skip
    curve = Curve(one.mean, "", "s1", one.low, one.high)
    refs = [reader.ref(f"axes/{at}/{mode}") for at in one.rows]
    _curves.draw(panel, list(range(layers + 1)), [curve], refs)
    if (formed := stands_from(one)) is not None:
        at = left + width * formed / layers
        sheet.rule(at, top + _HEAD, at, top + _HEAD + height, tone="ink3", dash="dash")


def label(name: str) -> str:
    """An axis as written in the pairs, in words: `fill:3` has its dose after a colon, which the caption leaves to the
    table."""
    return _terms.words(name.partition(":")[0])


def stands_from(one: _Axis) -> int | None:
    """The first depth after which the mean stays at or above half of its end; None where its end isn't told from 0."""
    end, low, high = one.mean[-1], one.low[-1], one.high[-1]
    if not end or (low is not None and high is not None and low <= 0 <= high):
        return None
    stays = [2 * value / end >= 1 for value in one.mean]
    return len(stays) - next((at for at, good in enumerate(reversed(stays)) if not good), len(stays))


def _meta(reader: Reader, table: Columns, found: list[_Axis], mode: str) -> dict[str, object]:
    norm = "each depth with its own norm" if mode == "own" else "every depth with the last norm"
    return {
        "figure": "depth-axes",
        "of": reader.id,
        "title": _title(found),
        "desc": "A small panel for each property: the mean margin against the number of blocks passed, with its "
        "interval; one scale in all panels.",
        "caption": sentence(
            f"The mean margin of the pairs of one property, read through the head after every block, {norm}; lines "
            "are intervals over prompts, the number is the value at the end. Dashed: the first depth after which the "
            "mean stays at or above half of its end, where that is told from zero. One scale in all panels."
        ),
        "source": reader.scope(),
        "units": {"x": "blocks", "y": "ru"},
        "table": _table(reader, found, mode),
        "rows": table,
    }


def _title(found: list[_Axis]) -> str:
    """Which properties stand earliest and which latest."""
    depths = {label(one.name): stands_from(one) for one in found}
    known = {name: depth for name, depth in depths.items() if depth is not None}
    if len(known) < 2 or len(set(known.values())) == 1:
        return "The margin by depth, property by property"
    early = [name for name, depth in known.items() if depth == min(known.values())]
    late = [name for name, depth in known.items() if depth == max(known.values())]
    if len(early) > 3 or len(late) > 3:
        return "Some properties are readable long before others"
    text = f"{_terms.listed(early)} stand{'s' if len(early) == 1 else ''} first, {_terms.listed(late)} last"
    return text[0].upper() + text[1:]


def _table(reader: Reader, found: list[_Axis], mode: str) -> dict[str, object]:
    rows = []
    for one in found:
        for depth, at in enumerate(one.rows):
            name = f"axes/{at}/{mode}"
            rows.append(
                [
                    cell(label(one.name)),
                    cell(reader.number(f"axes/{at}/layer")),
                    cell(reader.number(name)),
                    cell(reader.number(name, "interval") if one.low[depth] is not None else ""),
                ]
            )
    return {"columns": ["property", "blocks passed", "margin, ru", "interval"], "rows": rows}
