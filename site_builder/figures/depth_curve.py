"""Where the preference forms: the margin the head would give at every depth, beside untrained copies."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns, Quantity
from site_builder.figures import _curves
from site_builder.figures._curves import Curve
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
_HEIGHT = 250.0
_TOP = 50.0
_LEFT = 44.0
_NAMES = 112.0
_MODES = {"own": "each depth with its own norm", "frozen": "every depth with the last norm"}


class _Mode(NamedTuple):
    """One reading of the curve; `grey` are the untrained copies' ends, as shares of the last margin times it."""

    name: str
    margin: list[float]
    low: list[float | None]
    high: list[float | None]
    chosen: list[float]
    rejected: list[float]
    grey: tuple[list[float], list[float]]

    def reach(self) -> list[float]:
        ends = [end for end in (*self.low, *self.high) if end is not None]
        return [*self.margin, *ends, *self.chosen, *self.rejected, *self.grey[0], *self.grey[1]]


@figure("depth-curve", draws="margin and rewards by depth, beside untrained copies", instruments=("reward-lens",))
def depth_curve(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a reward-lens record with its `curve` table; the crystallization record, if there, marks the depth."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("curve") or {}
    modes = [_mode(table, name) for name in _MODES if name in table]
    ticks = nice(min(min(one.reach()) for one in modes), max(max(one.reach()) for one in modes), 5)
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    if width == "wide":
        span = WIDE / 2 - 20
        end = max(_panel(sheet, reader, one, at * (WIDE / 2 + 20), 0.0, span, ticks) for at, one in enumerate(modes))
    else:
        end = 0.0
        for one in modes:
            end = _panel(sheet, reader, one, 0.0, end, NARROW, ticks) + 22
        end -= 22
    return sheet.spec(end, _meta(reader, table))


def _mode(table: Columns, name: str) -> _Mode:
    margin = table[name]
    shares = [table[f"untrained-{name}-share-{which}"] for which in ("low", "high")]
    ends = [[share * margin[-1] for share in some] for some in shares]
    grey = ([min(pair) for pair in zip(*ends, strict=True)], [max(pair) for pair in zip(*ends, strict=True)])
    sides = (table[f"{name}-chosen"], table[f"{name}-rejected"])
    return _Mode(name, margin, table[f"{name}-low"], table[f"{name}-high"], *sides, grey)


def _panel(
    sheet: Sheet, reader: Reader, mode: _Mode, left: float, top: float, width: float, ticks: list[float]
) -> float:
    layers = len(mode.margin) - 1
    depths = list(range(layers + 1))
    room = width - _LEFT - _NAMES
    sheet.text(left, top + 8, Run(_MODES[mode.name], bold=True))
    sheet.text(left, top + 27, "reward, ru", tone="ink3", size=SMALL)
    panel = sheet.panel(
        left + _LEFT, top + _TOP, room, _HEIGHT,
        axis(0, layers, ticks=layer_ticks(layers)), axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True),
    )  # fmt: skip
    _curves.band(panel, depths, *mode.grey)
    curves = [
        Curve(mode.rejected, "rejected", "s2"),
        Curve(mode.chosen, "chosen", "s1"),
        Curve(mode.margin, [Run("margin ", bold=True), *_last(reader)], "ink", mode.low, mode.high, width=2),
    ]
    cells = [reader.ref(f"curve/{depth}/{mode.name}") for depth in depths]
    _curves.draw(panel, depths, curves, cells)
    _curves.names(sheet, curves, right=left + _LEFT + room, top=top + _TOP, height=_HEIGHT, span=(ticks[0], ticks[-1]))
    _formed(sheet, reader, mode.name, left + _LEFT, top + _TOP, room)
    y = top + _TOP + _HEIGHT
    sheet.text(left + _LEFT + room, y + 31, "blocks passed", anchor="right", tone="ink3", size=SMALL)
    return y + 40


def layer_ticks(layers: int) -> list[float]:
    """Whole layers, few enough to read; the last is always among them."""
    step = next(step for step in (1, 2, 3, 4, 6, 8, 12, 16, 24, 32) if layers / step <= 6)
    ticks = [float(layer) for layer in range(0, layers + 1, step)]
    return ticks if ticks[-1] == layers else [*[tick for tick in ticks if layers - tick > step / 2], float(layers)]


def _last(reader: Reader) -> list[Run]:
    return [reader.number("margin", tone="ink")] if reader.quantity("margin") else []


def _formed(sheet: Sheet, reader: Reader, mode: str, left: float, top: float, room: float) -> None:
    """A dashed line where half of the margin stands for good, with the depth as a share."""
    formed = reader.neighbour("crystallization")
    field = formed.quantity(f"{mode}.depth") if formed else None
    if formed is None or field is None:
        return
    at = left + room * float(field.value)
    sheet.rule(at, top - 8, at, top + _HEIGHT, tone="ink3", dash="dash")
    text = [Run("half stands from "), formed.number(f"{mode}.depth")]
    anchor: tuple[float, str] = (at - 4, "left") if field.value < 0.6 else (at + 4, "right")
    sheet.text(anchor[0], top - 14, text, anchor=anchor[1], tone="ink2", size=SMALL)  # type: ignore[arg-type]


def _meta(reader: Reader, table: Columns) -> dict[str, object]:
    caption: list[str | Run] = [
        "The stream at the token the reward is read at, put through the head after every block: the mean of the chosen "
        "replies, of the rejected ones, and the margin between them with its interval. Grey: re-initialised copies, "
        "the lowest and highest, each as a share of its own last margin. It says from where the preference can be read "
        "by this head, not where it is computed."
    ]
    if reader.neighbour("crystallization"):
        caption.append(" Dashed: the median depth after which at least half of a pair’s margin stands for good.")
    return {
        "figure": "depth-curve",
        "of": reader.id,
        "title": _title(reader),
        "desc": "Two panels, one a way of reading. Lines of the mean reward of chosen and rejected replies and of "
        "their margin against the number of blocks passed, with a grey band of untrained copies behind.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "blocks", "y": "ru"},
        "table": _table(reader, table),
        "rows": table,
    }


def _title(reader: Reader) -> str:
    """What the readings of half the depth say against their controls."""
    field, control = reader.quantity("own.middle-share"), reader.quantity("untrained.own.middle-share")
    if field is None or field.interval is None:
        return "The margin by depth"
    inside = isinstance(control, Quantity) and control.interval is not None
    if inside and control.interval.low <= field.value <= control.interval.high:  # type: ignore[union-attr]
        return "Halfway up, as much of the margin is readable as in an untrained model"
    if field.interval.low > 0.5:
        return "Halfway up, the larger part of the margin is already readable"
    if field.interval.high < 0.5:
        return "The larger part of the margin becomes readable only in the second half"
    return "About half of the margin is readable halfway up"


def _table(reader: Reader, table: Columns) -> dict[str, object]:
    rows = []
    for at in range(len(table.get("layer", []))):
        row: list[object] = [cell([Run("after block "), reader.number(f"curve/{at}/layer")] if at else "embedding")]
        for mode in _MODES:
            name = f"curve/{at}/{mode}"
            has = table[f"{mode}-low"][at] is not None
            row += [cell(reader.number(name)), cell(reader.number(name, "interval") if has else "")]
        rows.append(row)
    heads = [head for mode in _MODES for head in (f"margin, {mode} norm, ru", "interval")]
    return {"columns": ["depth", *heads], "rows": rows}
