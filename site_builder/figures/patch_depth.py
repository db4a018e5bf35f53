"""From which depth on the readout token alone carries the margin, beside untrained copies and length-matched pairs."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures import _curves
from site_builder.figures._curves import Curve
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis
from site_builder.figures.depth_curve import layer_ticks
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

MEDIUM = 590.0
_HEIGHT = 220.0
_LEFT = 40.0
_NAMES = 118.0


@figure("patch-depth", draws="share of the margin at the readout token, by depth", instruments=("patching",))
def patch_depth(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a patching record with its `depth` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("depth") or {}
    share, margin = table["share"], table["effect"][-1]
    low = [None if end is None else end / margin for end in table["low"]]
    high = [None if end is None else end / margin for end in table["high"]]
    grey = (table["untrained-share-low"], table["untrained-share-high"])
    matched = table["length-matched-share"]
    reach = [value for column in (share, low, high, *grey, matched) for value in column if value is not None]
    ticks = nice(min([0.0, *reach]), max([1.0, *reach]), 4)
    layers = len(share) - 1
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    room = sheet.width - _LEFT - _NAMES
    panel = sheet.panel(
        _LEFT, 24, room, _HEIGHT, axis(0, layers, ticks=layer_ticks(layers)),
        axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True),
    )  # fmt: skip
    depths = list(range(layers + 1))
    if grey[0][0] is not None:
        _curves.band(panel, depths, *grey)
    curves = [Curve(matched, "equal lengths", "s1")] if None not in matched else []
    curves.append(Curve(share, Run("all pairs", bold=True), "ink", low, high, width=2))
    _curves.draw(panel, depths, curves, [reader.ref(f"depth/{depth}/share") for depth in depths])
    _curves.names(sheet, curves, right=_LEFT + room, top=24, height=_HEIGHT, span=(ticks[0], ticks[-1]))
    _gathered(sheet, reader, room)
    sheet.text(0, 12, "share of the margin", tone="ink3", size=SMALL)
    sheet.text(_LEFT + room, 24 + _HEIGHT + 31, "blocks passed", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(24 + _HEIGHT + 40, _meta(reader, table))


def _gathered(sheet: Sheet, reader: Reader, room: float) -> None:
    """A dashed line where half of the margin lies at the readout token for good, with the depth as a share."""
    field = reader.quantity("readout-depth")
    if field is None:
        return
    at = _LEFT + room * float(field.value)
    sheet.rule(at, 30, at, 24 + _HEIGHT, tone="ink3", dash="dash")
    sheet.text(_LEFT + room, 12, [Run("half from "), reader.number("readout-depth")], anchor="right", size=SMALL)


def _meta(reader: Reader, table: Columns) -> dict[str, object]:
    rows = [
        [
            cell(reader.number(f"depth/{at}/layer")),
            cell(reader.number(f"depth/{at}/share")),
            *(
                cell(reader.number(f"depth/{at}/{name}") if table[name][at] is not None else "")
                for name in ("untrained-share", "length-matched-share")
            ),
        ]
        for at in range(len(table["layer"]))
    ]
    return {
        "figure": "patch-depth",
        "of": reader.id,
        "title": _title(reader),
        "desc": "A line of the share of the margin that is lost when the readout token’s stream takes the rejected "
        "reply’s value, against the number of blocks passed, over a grey band of untrained copies.",
        "caption": sentence(
            "The share of the margin that goes when the stream at the readout token alone takes the rejected reply’s "
            "value at one depth, with its interval over prompts. Grey: re-initialised copies, the lowest and highest. "
            "Blue: pairs whose sides are equally long. After the last block all of it lies there by construction."
        ),
        "source": reader.scope(),
        "units": {"x": "blocks", "y": "share of the margin"},
        "table": {
            "columns": ["blocks passed", "share of the margin", "untrained copies", "pairs of equal length"],
            "rows": rows,
        },
        "rows": table,
    }


def _title(reader: Reader) -> str:
    field, control = reader.quantity("readout-depth"), reader.quantity("untrained.readout-depth")
    if field is None:
        return "How far up the readout token carries the margin"
    if control is not None and control.interval is not None:
        if control.interval.low <= field.value <= control.interval.high:
            return "The margin gathers at the readout token no earlier or later than in an untrained model"
        late = field.value > control.interval.high
        return f"The margin gathers at the readout token {'later' if late else 'earlier'} than in an untrained model"
    return "How far up the readout token carries the margin"
