"""The gradient's norm by step: as logged, before clipping; the threshold; what was applied; steps without signal."""

from __future__ import annotations

from lens.reading import Columns, Quantity
from site_builder.figures import _steps
from site_builder.figures._labels import spread
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, TEXT, Sheet, axis
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.palette import Tone
from site_builder.svg.scales import nice

WIDE = 1120.0
_HEIGHT = 210.0
_LEFT = 40.0
_TOP = 26.0
_NAMES = 112.0


@figure("gradient-norm", draws="gradient norm before and after clipping, by step", instruments=("gradient-norm",))
def gradient_norm(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a gradient-norm record with its `steps` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("steps") or {}
    steps, logged, applied = table["step"], table["pre-clip"], table["applied"]
    threshold = reader.quantity("threshold")
    seen = threshold is not None and threshold.value <= 2 * max([v for v in logged if v is not None], default=0.0)
    reach = [v for v in logged if v is not None] + ([float(threshold.value)] if threshold and seen else [])
    ticks = nice(0.0, max(reach, default=1.0) or 1.0, 4)
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    room = sheet.width - _LEFT - _NAMES
    panel = sheet.panel(
        _LEFT, _TOP, room, _HEIGHT, _steps.steps_axis(steps, count=8 if width == "wide" else 4),
        axis(0.0, ticks[-1], ticks=ticks, grid=True, zero=True),
    )  # fmt: skip
    _steps.gaps(panel, steps, logged, ticks[-1], why="not a number")
    named: list[tuple[list[Run], float, Tone]] = [([Run("before clipping")], _last(logged), "ink")]
    if threshold and seen:
        panel.line([steps[0] - 0.5, steps[-1] + 0.5], [threshold.value] * 2, tone="s2", width=1, dash="dash")
        named.append(([Run("threshold "), reader.number("threshold")], float(threshold.value), "s2t"))
    if any(a is not None and b is not None and a < b for a, b in zip(applied, logged, strict=True)):
        _steps.line(panel, steps, applied, tone="s1", width=1.5)
        named.append(([Run("applied")], _last(applied), "s1t"))
    _steps.line(panel, steps, logged, tone="ink", width=1.5)
    quiet = [at for at, state in enumerate(table["state"]) if state == "no-signal"]
    panel.dots(
        [steps[at] for at in quiet], [logged[at] for at in quiet], symbol="circle-open", size=7, flat=False,
        refs=[reader.ref(f"steps/{at}/pre-clip") for at in quiet],
    )  # fmt: skip
    wanted = [_TOP + _HEIGHT * (1 - value / ticks[-1]) for _, value, _ in named]
    for (line, _, tone), y in zip(named, spread(wanted, TEXT + 4, _TOP, _TOP + _HEIGHT), strict=True):
        sheet.text(_LEFT + room + 12, y, [run._replace(tone=tone) for run in line], size=SMALL)
    sheet.text(0, 8, "gradient norm", tone="ink3", size=SMALL)
    sheet.text(_LEFT + room, _TOP + _HEIGHT + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(_TOP + _HEIGHT + 40, _meta(reader, table, seen, bool(quiet)))


def _last(values: list[float | None]) -> float:
    return next((value for value in reversed(values) if value is not None), 0.0)


def _title(reader: Reader) -> str:
    clipped = reader.quantity("clipped")
    if not isinstance(clipped, Quantity):
        return "The gradient’s norm, as it was before clipping"
    if clipped.value == 0:
        return "No logged gradient was long enough to be clipped"
    if clipped.value == clipped.of:
        return "Every logged gradient was clipped: the norm in the log is from before"
    return "Some gradients were clipped: the norm in the log is from before"


def _meta(reader: Reader, table: Columns, seen: bool, quiet: bool) -> dict[str, object]:
    caption: list[str | Run] = ["Black: the norm over all parameters, as logged, which is taken before clipping."]
    if reader.quantity("threshold") and not seen:
        caption += [" The threshold, ", reader.number("threshold"), ", lies far above."]
    if reader.quantity("clipped"):
        caption += [" Clipped: ", reader.number("clipped"), " steps."]
    if quiet:
        caption.append(" Rings: steps on which every group has one reward, so that there was nothing to follow.")
    columns = {"pre-clip": "before clipping", "applied": "applied"}
    rows: list[object] = []
    for at in _steps.shown(len(table.get("step", []))):
        row: list[object] = [cell(reader.number(f"steps/{at}/step", "k"))]
        for name in columns:
            known = table[name][at] is not None
            row.append(cell(reader.number(f"steps/{at}/{name}")) if known else cell(""))
        rows.append([*row, cell(table["state"][at].replace("-", " "))])
    return {
        "figure": "gradient-norm",
        "of": reader.id,
        "title": _title(reader),
        "desc": "A line of the gradient’s norm by optimizer step, with the clipping threshold as a dashed line.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "optimizer step", "y": "gradient norm"},
        "table": {"columns": ["step", *columns.values(), "what it is of"], "rows": rows},
        "rows": table,
    }
