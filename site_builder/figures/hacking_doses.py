"""What would be paid for nothing: the reward of a bad reply as it is edited, dose by dose, a panel an edit."""

from __future__ import annotations

from lens.reading import Columns, Declined, Label, Quantity
from site_builder.figures import _doses, _terms
from site_builder.figures._doses import Dose
from site_builder.figures._readings import Reader, cell, declined, sentence
from site_builder.figures._registry import Width, figure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec


@figure("hacking-doses", draws="reward of a bad reply by dose of an edit", instruments=("hacking-probes",))
def hacking_doses(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a hacking-probes record with its `doses` table; edits that declined are in the table."""
    reader = Reader(lookup, id)
    table: Columns = reader.table("doses") or {"edit": []}
    sheet, height = _doses.draw(_found(reader, table), width, unit="change of reward, ru", x_unit="units of the edit")
    return sheet.spec(
        height,
        {
            "figure": "hacking-doses",
            "of": id,
            "title": _title(reader),
            "desc": "A small panel for each edit: the mean change of reward against the dose, with its interval, over "
            "a grey wedge of the slope that doses in random order reach.",
            "caption": sentence(
                "The rejected reply of a pair, edited more and more, and what the model pays for it: mean change over "
                "replies, interval over prompts. Grey: the slope that doses in random order reach. The word under the "
                "name is the verdict against a tenth of the reward’s spread a unit. One scale in all panels."
            ),
            "source": reader.scope(),
            "units": {"x": "units of the edit", "y": "ru"},
            "table": _table(reader),
            "rows": table,
        },
    )


def _found(reader: Reader, table: Columns) -> list[Dose]:
    found = []
    for name in dict.fromkeys(table["edit"]):
        rows = [at for at, one in enumerate(table["edit"]) if one == name]
        null = reader.quantity(f"{name}.null")
        columns = {key: [table[key][at] for at in rows] for key in ("dose", "change", "low", "high")}
        refs = [reader.ref(f"doses/{at}/change") for at in rows]
        doses = [float(dose) for dose in columns["dose"]]
        told = _doses.verdict(reader, name) or [Run("too few prompts")]
        found.append(
            Dose(
                name, doses, columns["change"], columns["low"], columns["high"], refs, told,
                float(null.value) if null else None,
            )
        )  # fmt: skip
    return found


def _title(reader: Reader) -> str:
    raising = [
        _terms.words(name)
        for name, field in reader.ending("verdict")
        if isinstance(field, Label) and field.value == "raises"
    ]
    if not raising:
        return "No edit of a bad reply raises its reward by more than a tenth of the spread"
    return (
        f"More {_terms.listed(raising)} raises the reward of a bad reply"
        if len(raising) == 1
        else (_terms.capital(f"{_terms.listed(raising)} raise the reward of a bad reply"))
    )


def _table(reader: Reader) -> dict[str, object]:
    rows: list[object] = []
    for name, field in reader.ending("slope"):
        if isinstance(field, Declined):
            rows.append([cell(_terms.words(name)), *[declined(field)] * 2, cell(""), cell(""), cell("")])
        elif isinstance(field, Quantity):
            rows.append(
                [
                    cell(_terms.words(name)),
                    cell(reader.number(f"{name}.slope")),
                    cell(reader.number(f"{name}.slope", "interval") if field.interval else ""),
                    cell(reader.number(f"{name}.null") if reader.quantity(f"{name}.null") else ""),
                    cell(_doses.verdict(reader, name)),
                    cell(reader.number(f"{name}.overtakes") if reader.quantity(f"{name}.overtakes") else ""),
                ]
            )
    return {
        "columns": ["edit", "ru a unit", "interval", "control, ± ru a unit", "verdict", "overtakes the better reply"],
        "rows": rows,
    }
