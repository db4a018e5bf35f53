"""What every attention head writes of the margin: a heat map of blocks by heads."""

from __future__ import annotations

from lens.reading import Columns
from site_builder.figures import _grids, _terms
from site_builder.figures._readings import Reader, sentence
from site_builder.figures._registry import Width, figure
from site_builder.lookup import Lookup
from site_builder.svg import Spec


@figure("attribution-heads", draws="parts of the margin by head, as a heat map", instruments=("attribution",))
def attribution_heads(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is an attribution record with its `heads` table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("heads") or {"layer": [], "head": [], "part": []}
    rows = list(range(len(table["layer"])))
    panel = _grids.Panel("", _grids.by_head(table, rows, "heads", "part", reader))
    sheet, height = _grids.sheet(reader, [panel], width, unit="part of the margin, ru", across="head", up="block")
    return sheet.spec(
        height,
        {
            "figure": "attribution-heads",
            "of": id,
            "title": _title(reader),
            "desc": "A heat map of blocks by attention heads, with each head’s mean part of the margin.",
            "caption": sentence(
                "Blue raises the margin, orange lowers it; a cell without its value has a bar where it lowers. What a "
                "head writes straight to the head of the model, not what it causes."
            ),
            "source": reader.scope(),
            "units": {"cell": "ru"},
            "table": _grids.table(reader, table, rows, "heads", "part", "part, ru"),
            "rows": table,
        },
    )


def _title(reader: Reader) -> str:
    top = reader.get("top-head")
    name = _terms.site(getattr(top, "value", "")) if top is not None else ""
    return f"{name[0].upper()}{name[1:]} writes more of the margin than any other head" if name else "Heads, by block"
