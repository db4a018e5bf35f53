"""What the head reads: the correlation of the reward with what each concept's own readout says, with its control."""

from __future__ import annotations

from lens.reading import Declined, Quantity
from site_builder.figures import _effects, _terms
from site_builder.figures._readings import Reader, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

MEDIUM = 590.0


@figure("geometry", draws="correlation of the reward with each concept's readout", instruments=("geometry",))
def geometry(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a geometry record of one model: the largest first, and all readouts together."""
    reader = Reader(lookup, id)
    rows = sorted(_rows(reader), key=_place)
    if reader.quantity("together"):
        rows.append(_effects.Row(reader, "together", Run("all together", bold=True)))
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    height = _effects.draw(sheet, rows, unit="correlation inside prompts", span=(-1, 1))
    return sheet.spec(
        height,
        {
            "figure": "geometry",
            "of": id,
            "title": _title(rows),
            "desc": "A row for each concept: the correlation of the reward with what the concept’s readout says, with "
            "its interval, over a band of readouts of sides in random order.",
            "caption": sentence(
                "How far, inside prompts, the reward goes up and down with what a concept’s own linear readout says, "
                "on texts of prompts it was not fitted on. It equals the cosine of the head’s row with the readout in "
                "the metric of what the head sees, so it does not depend on a basis. Band: readouts of sides in random "
                "order. Correlated concepts share their correlation with the reward: the rows don’t add up."
            ),
            "source": reader.scope(),
            "units": {"x": "correlation"},
            "table": _effects.table(rows, "concept", "correlation", control="null"),
        },
    )


def _rows(reader: Reader) -> list[_effects.Row]:
    rows = []
    for name, field in reader.ending("whitened"):
        if isinstance(field, Quantity | Declined):
            null = reader.quantity(f"{name}.null")
            label = Run(_terms.words(name))
            rows.append(_effects.Row(reader, f"{name}.whitened", label, float(null.value) if null else None))
    return rows


def _place(row: _effects.Row) -> tuple[bool, float]:
    value = row.value
    return isinstance(value, Declined), 0.0 if isinstance(value, Declined) else -abs(value.value)


def _title(rows: list[_effects.Row]) -> str:
    beyond = []
    for row in rows:
        low, high = row.ends()
        if low is not None and high is not None and row.null is not None and max(low, -high) > row.null:
            beyond.append(row.label.text)
    if not beyond:
        return "The reward goes with no single concept’s readout beyond chance"
    return f"The reward goes with what {_terms.listed(beyond)} say{'s' if len(beyond) == 1 else ''}, beyond chance"
