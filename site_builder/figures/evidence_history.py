"""One quantity counted in several ways: published figures beside measured ones, on one axis."""

from __future__ import annotations

from lens.errors import UsageError
from lens.reading import Declined, Quantity, Quote
from site_builder.figures import _corpora, _shares
from site_builder.figures._readings import Reader, cell, declined, ends, sentence, share
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup, parse
from site_builder.svg import Run, Spec

WIDE = 590.0


@figure("evidence-history", draws="ways of counting one quantity, reported and measured")
def evidence_history(lookup: Lookup, id: str, width: Width, *, entries: str = "", unit: str = "share") -> Spec:
    """`entries` are `id#field words beneath it`, separated by semicolons; without them, the headline of `id`.

    Each must be a "k of n" or a proportion. `unit` is what the axis is a share of. Underscores stand for spaces.
    """
    rows = [_row(lookup, entry) for entry in (entries or id).split(";") if entry.strip()]
    for row in rows:
        value = row.value
        if not isinstance(value, Declined) and value.of is None and value.kind != "proportion":
            raise UsageError(f"{row.reader.id}#{row.field} is no share", remedy="give a “k of n” or a proportion")
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    height = _shares.draw(sheet, rows, unit=unit.replace("_", " "), right=False, full=False)
    return sheet.spec(height, _meta(id, rows, unit))


def _row(lookup: Lookup, entry: str) -> _shares.Row:
    words = entry.replace("_", " ").split()
    ref = parse(words[0])
    reader = Reader(lookup, ref.id)
    name = ref.field or lookup.headline(ref.id)
    value = reader.get(name)
    beneath = " ".join(words[1:]) or f"{reader.subject}, {_corpora.words(name.partition('.')[0])}"
    if isinstance(value, Declined):
        printed: tuple[Run, ...] = (Run("declined", bold=True),)
    elif isinstance(value, Quote):
        quoted = reader.number(name)._replace(italic=True)
        printed = (Run("“", italic=True), quoted, Run("”", italic=True))
    else:
        printed = (reader.number(name, bold=True),)
    return _shares.Row(reader, name, printed, (Run(beneath, tone="ink3"),))


def _meta(id_: str, rows: list[_shares.Row], unit: str) -> dict[str, object]:
    quoted = any(isinstance(row.value, Quote) for row in rows)
    cells: list[object] = []
    for row in rows:
        value, name = row.value, cell(list(row.beneath))
        if isinstance(value, Declined):
            cells.append([name, declined(value), declined(value)])
            continue
        has = isinstance(value, Quantity) and ends(value)[0] is not None
        cells.append([name, cell(row.printed), cell(row.reader.number(row.field, "pctinterval") if has else "")])
    caption = "Filled: measured here, with its interval."
    if quoted:
        caption += " Open circle, dotted: reported by others; the dotted line is the Wilson interval of their count."
    return {
        "figure": "evidence-history",
        "of": id_,
        "title": _title(rows),
        "desc": "A row for each way of counting, with its share as a dot and its interval as a line.",
        "caption": sentence(caption),
        "source": sentence(),
        "units": {"x": f"% {unit}"},
        "table": {"columns": ["counted how", "value", "interval"], "rows": cells},
    }


def _title(rows: list[_shares.Row]) -> str:
    spans = [row.span() for row in rows if not isinstance(row.value, Declined)]
    if len(spans) < 2:
        return "One way of counting"
    meet = max(low for low, _ in spans) <= min(high for _, high in spans)
    values = [share(v) for row in rows if not isinstance(v := row.value, Declined)]
    if meet:
        near = ", all near nothing" if max(values) < 10 else ""
        return f"Several ways of counting the same thing{near}, and their intervals meet"
    return "Several ways of counting the same thing, and they disagree"
