"""What each update kept of its rollouts' gradients and what they cancelled among themselves, beside its references."""

from __future__ import annotations

from lens.reading import Columns
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
_HEIGHT = 250.0
_LEFT = 40.0
_TOP = 26.0
_NAMES = 112.0
_POINTS = 61  # of the band: that of a longer run is drawn at an even stride, its ends among the points


@figure("update-partition", draws="kept and cancelled gradient by step", instruments=("update-partition",))
def update_partition(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is an update-partition record with its `steps` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("steps") or {}
    steps, lengths, kept = table["step"], table["lengths"], table["norm"]
    known = [value for value in lengths if value is not None]
    ticks = nice(0.0, max(known, default=1.0), 4)
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    room = sheet.width - _LEFT - (_NAMES if width == "wide" else 12.0)
    below = 0.0 if width == "wide" else 3 * (TEXT + 6)
    panel = sheet.panel(
        _LEFT, _TOP + below, room, _HEIGHT, _steps.steps_axis(steps, count=8 if width == "wide" else 4),
        axis(0.0, ticks[-1], ticks=ticks, grid=True, zero=True),
    )  # fmt: skip
    _steps.gaps(panel, steps, lengths, ticks[-1], why="not parted")
    low, high = (_of_lengths(table, name) for name in ("permuted-high", "permuted-low"))
    some = _steps.shown(len(steps), _POINTS)
    drawn = [steps[at] for at in some]
    _steps.between(panel, drawn, [low[at] for at in some], [high[at] for at in some])
    _steps.line(panel, steps, lengths, tone="hatch", width=1)
    _steps.line(panel, steps, _of_lengths(table, "orthogonal"), tone="s1", width=1.5, dash="dash")
    _steps.line(panel, steps, kept, tone="ink", width=1.5)
    places = [at for at, value in enumerate(kept) if value is not None]
    if len(places) <= 60:
        refs = [reader.ref(f"steps/{at}/norm") for at in places]
        panel.dots([steps[at] for at in places], [kept[at] for at in places], size=5, flat=False, refs=refs)
    _names(sheet, table, places, ticks[-1], width, room)
    sheet.text(0, 8, "gradient norm", tone="ink3", size=SMALL)
    sheet.text(_LEFT + room, 8, medians(reader), anchor="right", size=SMALL)
    end = _TOP + below + _HEIGHT
    sheet.text(_LEFT + room, end + 31, "optimizer step", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(end + 40, _meta(reader, table))


def _of_lengths(table: Columns, name: str) -> list[float | None]:
    """A share that cancels, as what it leaves of the lengths."""
    return [
        None if share is None or length is None else length * (1 - share)
        for share, length in zip(table[name], table["lengths"], strict=True)
    ]


def _names(sheet: Sheet, table: Columns, places: list[int], top: float, width: Width, room: float) -> None:
    """Each line's name: at its last point, or above the panel where there is no room beside it."""
    if not places:
        return
    last = places[-1]
    orthogonal = _of_lengths(table, "orthogonal")[last] or 0.0
    named: list[tuple[str, float, Tone]] = [
        ("all lengths", table["lengths"][last], "ink3"),
        ("at right angles", orthogonal, "s1t"),
        ("kept", table["norm"][last], "ink"),
    ]
    if width == "narrow":
        for at, (name, _, tone) in enumerate(named):
            sheet.text(_LEFT, 26 + at * (TEXT + 6), Run(name, bold=tone == "ink"), tone=tone, size=SMALL)
        return
    wanted = [_TOP + _HEIGHT * (1 - value / top) for _, value, _ in named]
    for (name, _, tone), end, y in zip(named, wanted, spread(wanted, TEXT + 4, _TOP, _TOP + _HEIGHT), strict=True):
        sheet.text(_LEFT + room + 14, y, Run(name, bold=tone == "ink"), tone=tone, size=SMALL)
        if abs(end - y) > 3:
            sheet.rule(_LEFT + room + 2, end, _LEFT + room + 12, y)


def medians(reader: Reader) -> list[Run]:
    """The median share that cancels, never without that of gradients at right angles."""
    if not (reader.quantity("cancellation.median") and reader.quantity("orthogonal.median")):
        return [Run("declined")]
    own, other = (reader.number(f"{name}.median", "pct1") for name in ("cancellation", "orthogonal"))
    return [Run("cancelled "), own._replace(bold=True), Run(", at right angles "), other]


def title(reader: Reader) -> str:
    """What cancellation says against unrelated gradients."""
    excess = reader.quantity("excess.median")
    if excess is None or excess.interval is None:
        return "What each update kept of its rollouts’ gradients"
    if excess.interval.low > 0:
        return "The update cancels more than unrelated gradients would"
    if excess.interval.high < 0:
        return "The update cancels less than unrelated gradients would"
    return "The update cancels about as much as unrelated gradients would"


def _meta(reader: Reader, table: Columns) -> dict[str, object]:
    caption: list[str | Run] = [
        "Grey line: the lengths of all rollouts’ gradients, added. Black: the length of their sum, which is what the "
        "update kept; the rest cancelled. Dashed: what would be kept were all gradients at right angles. Band: what is "
        "kept when the advantages are dealt out again within each group, without the outermost one in twenty."
    ]
    if len(table.get("step", [])) > _POINTS:
        caption.append(" The band is drawn at an even stride of steps; the CSV has every one.")
    if None in table.get("norm", []):
        caption.append(" Hatched: steps that can’t be parted.")
    return {
        "figure": "update-partition",
        "of": reader.id,
        "title": title(reader),
        "desc": "Lines by optimizer step: the added lengths of gradients above, the length of their sum below, with a "
        "dashed line and a grey band of references between.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "optimizer step", "y": "gradient norm"},
        "table": steps_table(reader, table),
        "rows": table,
    }


def steps_table(reader: Reader, table: Columns) -> dict[str, object]:
    """Some steps evenly spread over the run; the CSV holds them all."""
    columns = {
        "norm": "kept", "lengths": "all lengths", "cancellation": "cancelled", "orthogonal": "at right angles",
        "percentile": "place among permutations",
    }  # fmt: skip
    rows: list[object] = []
    for at in _steps.shown(len(table.get("step", []))):
        row: list[object] = [cell(reader.number(f"steps/{at}/step", "k"))]
        for name in columns:
            known = table[name][at] is not None
            row.append(cell(reader.number(f"steps/{at}/{name}", "d3")) if known else {"declined": table["state"][at]})
        rows.append(row)
    return {"columns": ["step", *columns.values()], "rows": rows}
