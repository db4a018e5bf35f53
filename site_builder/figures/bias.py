"""What a reward is biased by: a row an axis, the change of reward when one thing is added, its control as a band."""

from __future__ import annotations

from lens.reading import Declined, Label, Quantity
from site_builder.figures import _effects, _terms
from site_builder.figures._readings import Reader, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

MEDIUM = 700.0


@figure("bias", draws="change of reward by one property, by axis, with controls", instruments=("bias-battery",))
def bias(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a bias-battery record: the largest effect first, declined axes last."""
    reader = Reader(lookup, id)
    rows = sorted(_rows(reader), key=_place)
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    height = _effects.draw(sheet, rows, unit="change of reward, ru")
    return sheet.spec(
        height,
        {
            "figure": "bias",
            "of": id,
            "title": _title(rows),
            "desc": "A row for each property: the change of reward when a reply gains it and nothing else, with its "
            "interval, and as a band how far the change would reach by chance.",
            "caption": sentence(
                "Dot and line: mean over pairs of replies that differ in one thing, interval over prompts. Band: how "
                "far the mean reaches when either reply could have been the one with the property. A change is called "
                "none where it lies within a tenth of the reward’s own spread. ru: this model’s own units of reward."
            ),
            "source": reader.scope(),
            "units": {"x": "ru"},
            "table": _effects.table(rows, "property", "change of reward", beside="verdict", control="null"),
        },
    )


def _rows(reader: Reader) -> list[_effects.Row]:
    rows = []
    for name, field in reader.ending("effect"):
        if isinstance(field, Quantity | Declined):
            null, verdict = reader.quantity(f"{name}.null"), reader.get(f"{name}.verdict")
            beside = (reader.number(f"{name}.verdict"),) if isinstance(verdict, Label) else ()
            label = Run(_terms.words(name))
            rows.append(_effects.Row(reader, f"{name}.effect", label, float(null.value) if null else None, beside))
    return rows


def _place(row: _effects.Row) -> tuple[bool, float]:
    value = row.value
    return isinstance(value, Declined), 0.0 if isinstance(value, Declined) else -abs(value.value)


def _title(rows: list[_effects.Row]) -> str:
    told = {
        verdict: [row.label.text for row in rows if row.beside and row.beside[0].text == verdict]
        for verdict in ("raises", "lowers")
    }
    said = [f"{_terms.listed(names)} {verdict[:-1]} the reward" for verdict, names in told.items() if names]
    if not said:
        return "No property tried moves the reward by more than a tenth of its spread"
    text = "; ".join(said) if any(len(names) > 1 for names in told.values()) else " and ".join(said)
    for verdict, names in told.items():
        if len(names) == 1:
            text = text.replace(f"{names[0]} {verdict[:-1]} ", f"{names[0]} {verdict} ")
    return _terms.capital(text)
