"""What writes the margin: the part of each block's attention and MLP that goes straight into the head."""

from __future__ import annotations

from lens.reading import Columns, Label
from site_builder.figures import _components, _effects, _terms
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

MEDIUM = 690.0
ROWS = 14  # components drawn; the others are in the table


@figure("attribution", draws="parts of the margin by component, with intervals", instruments=("attribution",))
def attribution(lookup: Lookup, id: str, width: Width, *, limit: int | str = ROWS) -> Spec:
    """`id` is an attribution record with its `components` table: the `limit` largest parts, in the order of the
    network."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("components") or {"site": [], "part": []}
    order = sorted(range(len(table["site"])), key=lambda at: -abs(table["part"][at]))
    every = [_row(reader, table, at) for at in range(len(table["site"]))]
    kept = sorted(order[: int(limit)])
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    height = _effects.draw(sheet, [every[at] for at in kept], unit="part of the margin, ru", step=23.0)
    left_out = "" if len(kept) == len(every) else " The largest parts; the table has all."
    return sheet.spec(
        height,
        {
            "figure": "attribution",
            "of": id,
            "title": _title(reader),
            "desc": "A row for each component, from the embedding up: its mean part of the margin, with its interval.",
            "caption": sentence(
                "What a component adds to the stream at the readout token, times the head, chosen less rejected. The "
                "parts sum to the margin, to within ",
                *_residual(reader),
                f".{left_out} This is what is written straight to the head; what later blocks make of it is not in it, "
                "so it is no cause.",
            ),
            "source": reader.scope(),
            "units": {"x": "ru"},
            "table": _table(reader, table, every),
            "rows": table,
        },
    )


def _row(reader: Reader, table: Columns, at: int) -> _effects.Row:
    symbol = _components.SYMBOLS.get(table["kind"][at], "circle")
    return _effects.Row(reader, f"components/{at}/part", Run(_terms.site(table["site"][at])), symbol=symbol)


def _residual(reader: Reader) -> list[Run]:
    return [reader.number("residual", "sci1"), Run(" ru")] if reader.quantity("residual") else [Run("rounding")]


def _title(reader: Reader) -> str:
    top, share, control = (reader.get("top"), reader.quantity("top.share"), reader.quantity("untrained.top.share"))
    name = _terms.site(top.value) if isinstance(top, Label) else ""
    if not name:
        return "What each component writes of the margin"
    name = name[0].upper() + name[1:]
    if share is None or share.interval is None or control is None or control.interval is None:
        return f"{name} writes the largest part of the margin"
    if control.interval.low <= share.value <= control.interval.high:
        return f"{name} writes the largest part, no larger than the largest of an untrained model"
    return f"{name} writes the largest part, beyond the largest of an untrained model"


def _table(reader: Reader, table: Columns, every: list[_effects.Row]) -> dict[str, object]:
    rows = []
    for at, row in enumerate(every):
        low, _ = row.ends()
        rows.append(
            [
                cell(row.label),
                cell(row.printed),
                cell(reader.number(row.field, "interval") if low is not None else ""),
                cell(reader.number(f"components/{at}/rank") if table["rank"][at] is not None else ""),
            ]
        )
    return {"columns": ["component", "part, ru", "interval", "rank by size"], "rows": rows}
