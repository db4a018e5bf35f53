"""What a concept's direction is paid: the reward of other replies steered along it, a panel a concept."""

from __future__ import annotations

from lens.reading import Columns, Declined, Quantity
from site_builder.figures import _doses, _terms
from site_builder.figures._doses import Dose
from site_builder.figures._readings import Reader, cell, declined, sentence
from site_builder.figures._registry import Width, figure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec


@figure("concept-doses", draws="reward by dose of a concept's direction", instruments=("concepts",))
def concept_doses(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a concepts record with its `doses` table: steered at the first of its layers."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("doses") or {"concept": [], "layer": []}
    inside = min(table["layer"], default=0)
    found = [_dose(reader, table, name, inside) for name in dict.fromkeys(table["concept"])]
    sheet, height = _doses.draw(found, width, unit="change of reward, ru", x_unit="times the concept’s own difference")
    return sheet.spec(
        height,
        {
            "figure": "concept-doses",
            "of": id,
            "title": _title(found),
            "desc": "A small panel for each concept: the mean change of reward against how far replies are steered "
            "along its direction, with its interval, over a grey wedge of directions fitted to sides in random order.",
            "caption": sentence(
                "A direction is the mean difference of the stream between the two sides of a concept’s pairs, fitted "
                "on half of the prompts and added to the rejected replies of the other half. Grey: the slope that "
                "directions fitted to sides in random order reach; a slope within its own interval of that is marked "
                "as chance. It says that the model can be moved along the direction, not that the model itself moves "
                "along it."
            ),
            "source": reader.scope(),
            "units": {"x": "times the difference", "y": "ru"},
            "table": _table(reader),
            "rows": table,
        },
    )


def _dose(reader: Reader, table: Columns, name: str, layer: int) -> Dose:
    rows = [at for at, one in enumerate(table["concept"]) if one == name and table["layer"][at] == layer]
    null = reader.quantity(f"{name}.flipped")
    slope = reader.quantity(f"{name}.slope")
    moved = slope is not None and slope.interval is not None and null is not None
    beyond = moved and max(slope.interval.low, -slope.interval.high) > null.value  # type: ignore[union-attr]
    told = [reader.number(f"{name}.slope"), Run(" ru" if beyond else " ru, chance")] if slope else []
    columns = {key: [table[key][at] for at in rows] for key in ("dose", "change", "low", "high")}
    return Dose(
        name, columns["dose"], columns["change"], columns["low"], columns["high"],
        [reader.ref(f"doses/{at}/change") for at in rows], told, float(null.value) if null else None,
    )  # fmt: skip


def _title(found: list[Dose]) -> str:
    moved = [_terms.words(one.name) for one in found if one.told and "chance" not in one.told[-1].text]  # type: ignore[union-attr]
    if not moved:
        return "No concept’s direction moves the reward more than one of chance"
    return f"The reward moves along the direction{'s' if len(moved) > 1 else ''} of {_terms.listed(moved)}"


def _table(reader: Reader) -> dict[str, object]:
    rows: list[object] = []
    for name, field in reader.ending("slope"):
        if isinstance(field, Declined):
            rows.append([cell(_terms.words(name)), *[declined(field)] * 2, cell(""), cell(""), cell("")])
        elif isinstance(field, Quantity):
            named = [f"{name}.{key}" for key in ("flipped", "random", "carried")]
            rows.append(
                [
                    cell(_terms.words(name)),
                    cell(reader.number(f"{name}.slope")),
                    cell(reader.number(f"{name}.slope", "interval") if field.interval else ""),
                    *(cell(reader.number(one) if reader.quantity(one) else "") for one in named),
                ]
            )
    heads = ("ru a unit", "interval", "control, sides in random order", "control, random direction", "share carried")
    return {"columns": ["concept", *heads], "rows": rows}
