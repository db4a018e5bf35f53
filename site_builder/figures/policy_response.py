"""How far the policy moved, and what an update's effect is made of: each of nine terms computed, zero, or absent."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns, Declined, Field, Quantity
from site_builder.figures import _steps
from site_builder.figures._readings import Reader, cell, sentence, why
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

WIDE = 1120.0
_HEIGHT = 216.0
_POINTS = 61  # steps drawn: a longer run at an even stride, its ends among the points
_LEFT = 52.0
_TOP = 26.0
_STEP = 21.0
_WORDS = {
    "movement": "measured", "predicted": "foretold", "predicted.along": "along the change", "floor": "would show from",
    "term.staleness": "staleness", "term.kl": "KL term", "term.entropy": "entropy bonus", "term.momentum": "momentum",
    "term.batch": "missing rollouts", "term.curvature": "curvature", "term.clip": "clipping",
    "term.sampling": "sampling", "term.basis": "basis",
}  # fmt: skip


class _Row(NamedTuple):
    name: str
    label: str
    field: Field


@figure("policy-response", draws="KL by step, and nine terms of an update's effect", instruments=("policy-response",))
def policy_response(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a policy-response record; its `kl` table, where it has one, is drawn by step."""
    reader = Reader(lookup, id)
    rows = [_Row(name, label, field) for name, label in _WORDS.items() if (field := reader.get(name)) is not None]
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    if width == "wide":
        half = WIDE / 2 - 24
        end = max(_kl(sheet, reader, 0.0, 0.0, half), _budget(sheet, reader, rows, WIDE / 2 + 24, 0.0, half))
    else:
        end = _budget(sheet, reader, rows, 0.0, _kl(sheet, reader, 0.0, 0.0, NARROW) + 26, NARROW)
    return sheet.spec(end, _meta(reader, rows))


def _kl(sheet: Sheet, reader: Reader, left: float, top: float, width: float) -> float:
    """KL from the reference by step with its interval, or why there is none."""
    sheet.text(left, top + 8, Run("Away from the reference", bold=True))
    room = width - _LEFT - 16
    table = reader.table("kl")
    if table is None:
        panel = sheet.panel(left, top + _TOP, width, 60.0, hidden(0, 1), hidden(0, 1))
        field = reader.get("kl.last")
        said = why(field) if isinstance(field, Declined) else "not recorded"
        panel.plate(0, 1, 0, 1, why=field.detail if isinstance(field, Declined) else "")
        sheet.text(left + width / 2, top + _TOP + 30, said, anchor="center", size=SMALL, plate=True)
        return top + _TOP + 68
    steps, k1 = table["step"], table["k1"]
    reach = [value for name in ("k1", "low", "high") for value in table[name] if value is not None]
    ticks = nice(min(0.0, *reach), max(reach), 4)
    sheet.text(left, top + 28, "nats a response", tone="ink3", size=SMALL)
    panel = sheet.panel(
        left + _LEFT, top + _TOP + 18, room, _HEIGHT, _steps.steps_axis(steps),
        axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True),
    )  # fmt: skip
    some = _steps.shown(len(steps), _POINTS)
    drawn = [steps[at] for at in some]
    _steps.between(panel, drawn, *([table[end][at] for at in some] for end in ("low", "high")))
    _steps.line(panel, drawn, [k1[at] for at in some], tone="ink", width=1.5)
    end = top + _TOP + 18 + _HEIGHT
    sheet.text(left + _LEFT + room, end + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return end + 40


def _budget(sheet: Sheet, reader: Reader, rows: list[_Row], left: float, top: float, width: float) -> float:
    """A row a term: a dot on the axis, a tick where it is exactly zero, a hatched field where it is absent."""
    sheet.text(left, top + 8, Run("What an update’s effect is made of", bold=True))
    labels = max(measure(row.label) for row in rows) + 12
    printed = {row.name: reader.number(row.name) for row in rows if isinstance(row.field, Quantity)}
    values = max((measure(run) for run in printed.values()), default=40.0) + 14
    span, height = width - labels - values, _STEP * len(rows)
    reach = [value for row in rows for value in _reach(row.field)]
    some = any(reach)
    ticks = nice(min(0.0, *reach), max(0.0, *reach), 3) if some else []
    low, high = (ticks[0], ticks[-1]) if some else (-1.0, 1.0)
    across = axis(low, high, ticks=ticks, grid=True, zero=True) if some else hidden(low, high)
    panel = sheet.panel(left + labels, top + _TOP, span, height, across, hidden(len(rows), 0))
    for at, row in enumerate(rows):
        y = top + _TOP + _STEP * (at + 0.5)
        sheet.text(left + labels - 12, y, row.label, anchor="right", tone="ink2")
        _mark(sheet, panel, reader, row, at, (low, high), (left + labels + span / 2, y))
        if row.name in printed:
            sheet.text(left + width, y, printed[row.name], anchor="right")
    end = top + _TOP + height
    if some:
        sheet.text(
            left + width, end + 31, "advantage-weighted nats a response", anchor="right", tone="ink3", size=SMALL
        )
    return end + (40 if some else 10)


def _reach(field: Field) -> list[float]:
    if not isinstance(field, Quantity):
        return [0.0]
    ends = [field.interval.low, field.interval.high] if field.interval else []
    return [float(field.value), *ends]


def _mark(
    sheet: Sheet,
    panel: Panel,
    reader: Reader,
    row: _Row,
    at: int,
    limits: tuple[float, float],
    middle: tuple[float, float],
) -> None:
    if isinstance(row.field, Declined):
        panel.plate(*limits, at + 0.14, at + 0.86, why=row.field.detail)
        sheet.text(*middle, why(row.field), anchor="center", size=SMALL, plate=True)
        return
    if not isinstance(row.field, Quantity):
        return
    interval = row.field.interval
    ends = ([interval.low], [interval.high]) if interval and interval.low < interval.high else (None, None)
    panel.dots([row.field.value], [at + 0.5], low=ends[0], high=ends[1], refs=[reader.ref(row.name)], words=[row.label])
    if row.field.value == 0:
        panel.zero(0.0, at + 0.5)


def _title(reader: Reader) -> str:
    closure, movement = reader.get("closure"), reader.quantity("movement")
    if movement is not None and movement.interval is not None and movement.interval.low > 0:
        if not isinstance(closure, Declined):
            return "The update made what was rewarded likelier, by as much as its terms say"
        return "The update made what was rewarded likelier"
    if isinstance(closure, Declined) and closure.reason == "below_detection":
        return "No single update’s effect could have been seen: what is foretold lies under the floor"
    late, early = reader.quantity("kl.last"), reader.quantity("kl.first")
    if late is not None and early is not None and late.interval and early.interval:
        if late.interval.low > early.interval.high:
            return "The policy kept moving away from its reference"
        return "The policy stayed about as near its reference as it began"
    return "How the policy moved, as far as the record says"


def _meta(reader: Reader, rows: list[_Row]) -> dict[str, object]:
    caption: list[str | Run] = []
    if reader.quantity("kl.last"):
        caption += ["Line: log-ratio of sampled responses, the mean a response (k one); band: interval over prompts. "]
        caption += ["Over the last tenth of the steps ", reader.number("kl.last"), " nats. "]
        if len((reader.table("kl") or {"step": []})["step"]) > _POINTS:
            caption.append("Steps are drawn at an even stride; the CSV has every one. ")
    caption.append(
        "Nine terms of one update’s effect: a dot is computed, a tick through the line exactly zero for the reason in "
        "the table, a hatched field was never recorded."
    )
    if reader.quantity("floor-over-predicted"):
        caption += [" The smallest change of reward that would show is ", reader.number("floor-over-predicted", "s2")]
        caption.append(" times what a plain gradient step foretells.")
    return {
        "figure": "policy-response",
        "of": reader.id,
        "title": _title(reader),
        "desc": "A line of KL by optimizer step with its band, and a row for each term of an update’s effect.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "optimizer step; advantage-weighted nats a response", "y": "nats a response"},
        "table": {"columns": ["term", "value", "why"], "rows": [_line(reader, row) for row in rows]},
        "rows": _rows(reader),
    }


def _line(reader: Reader, row: _Row) -> list[object]:
    if isinstance(row.field, Quantity):
        return [cell(row.label), cell(reader.number(row.name)), cell(reader.said(f"#{row.name}@note") or "")]
    said = reader.said(f"#{row.name}@detail") if isinstance(row.field, Declined) else None
    gap: object = {"declined": why(row.field)} if isinstance(row.field, Declined) else cell("")
    return [cell(row.label), gap, cell(said or "")]


def _rows(reader: Reader) -> Columns:
    """What its CSV holds: KL by step, or the terms."""
    return reader.table("kl") or reader.table("terms") or {}
