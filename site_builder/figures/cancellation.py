"""Cancellation against its reference: one dot a step, on the diagonal where gradients do what unrelated ones do."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures._readings import Reader, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis
from site_builder.figures.update_partition import medians, steps_table, title
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import nice

MEDIUM = 590.0
_LEFT = 44.0
_TOP = 26.0


@figure(
    "cancellation", draws="cancellation against orthogonal gradients, a dot a step", instruments=("update-partition",)
)
def cancellation(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is an update-partition record with its `steps` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("steps") or {}
    places = [at for at, value in enumerate(table["cancellation"]) if value is not None]
    across, up = ([100 * table[name][at] for at in places] for name in ("orthogonal", "cancellation"))
    ticks = nice(max(0.0, min([*across, *up], default=0.0) - 2), min(100.0, max([*across, *up], default=100.0) + 2), 5)
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    side = min(sheet.width - _LEFT - 16, 360.0)
    scale = axis(ticks[0], ticks[-1], ticks=ticks, suffix="\u202f%", grid=True, line=True)
    panel = sheet.panel(_LEFT, _TOP, side, side, scale, dict(scale))
    panel.line([ticks[0], ticks[-1]], [ticks[0], ticks[-1]], tone="s1", dash="dash")
    outside = [_outside(table, at) for at in places]
    for hit in (False, True):
        some = [n for n, one in enumerate(outside) if one is hit]
        panel.dots(
            [across[n] for n in some], [up[n] for n in some], size=7, symbol="circle-open" if hit else "circle",
            refs=[reader.ref(f"steps/{places[n]}/cancellation") for n in some],
        )  # fmt: skip
    sheet.text(0, 8, "cancelled", tone="ink3", size=SMALL)
    sheet.text(_LEFT + side, 8, medians(reader), anchor="right", size=SMALL)
    sheet.text(
        _LEFT + side, _TOP + side + 31, "cancelled, were all gradients at right angles", anchor="right", tone="ink3",
        size=SMALL,
    )  # fmt: skip
    return sheet.spec(_TOP + side + 40, _meta(reader, table, any(outside)))


def _outside(table: Columns, at: int) -> bool:
    """Whether a step lies outside the middle 95 % of its permutations."""
    return not table["permuted-low"][at] <= table["cancellation"][at] <= table["permuted-high"][at]


def _meta(reader: Reader, table: Columns, any_outside: bool) -> dict[str, object]:
    caption: list[str | Run] = [
        "One dot a step. Dashed: where a step lies whose rollouts’ gradients are all at right angles; above it they "
        "work against each other, below it together."
    ]
    if any_outside and reader.quantity("beyond-permuted"):
        caption += [" Rings: ", reader.number("beyond-permuted")]
        caption.append(" steps among the outermost one in twenty of permuted advantages, where chance puts as many.")
    return {
        "figure": "cancellation",
        "of": reader.id,
        "title": title(reader),
        "desc": "A square with a dot for each step, its share cancelled upwards and that of gradients at right angles "
        "across, and a dashed diagonal.",
        "caption": sentence(*caption),
        "source": reader.scope(),
        "units": {"x": "% of lengths, at right angles", "y": "% of lengths cancelled"},
        "table": steps_table(reader, table),
        "rows": table,
    }
