"""Mutants that survived every corpus, one square each, by what was found out about them."""

from __future__ import annotations

from lens.reading import Declined, Quantity
from site_builder.figures._readings import Reader, cell, declined, sentence, why
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.palette import Tone

CLASSES: dict[str, tuple[str, str, Tone]] = {  # field: (words, symbol, tone)
    "blind-spot": ("blind spot, with a witness input", "square", "ink"),
    "not-told-apart": ("not told apart by more inputs", "square-open", "ink2"),
    "side-effect": ("side effect only", "square-open-dot", "ink2"),
    "same-bytecode": ("compiles to the same program", "square-open", "hatch"),
    "unreachable": ("unreachable under the contract", "square-open-dot", "hatch"),
}


@figure("survivors", draws="surviving mutants by class", instruments=("survivors",))
def survivors(lookup: Lookup, id: str, _width: Width) -> Spec:
    """`id` is a survivors record. Classes that are empty are drawn as measured zeros."""
    reader = Reader(lookup, id)
    known = [name for name in CLASSES if isinstance(reader.get(name), Quantity | Declined)]
    most = max([int(f.value) for name in known if (f := reader.quantity(name))], default=0)
    pitch = 10.0 if most <= 140 else 7.0 if most <= 500 else 5.0
    sheet, top = Sheet(NARROW), 0.0
    for name in known:
        top = _class(sheet, reader, name, pitch, top)
    return sheet.spec(max(top - 6, 20), _meta(reader, known))


def _class(sheet: Sheet, reader: Reader, name: str, pitch: float, top: float) -> float:
    words, symbol, tone = CLASSES[name]
    first = name == "blind-spot"
    sheet.text(0, top + 9, Run(words, bold=first), tone="ink" if first else "ink2")
    field = reader.get(name)
    if isinstance(field, Declined):
        panel = sheet.panel(0, top + 20, sheet.width, 22, hidden(0, 1), hidden(0, 1))
        panel.plate(0, 1, 0, 1, why=field.detail)
        sheet.text(sheet.width / 2, top + 31, why(field), anchor="center", size=SMALL, plate=True)
        return top + 62
    assert isinstance(field, Quantity)
    count = reader.count(name)
    if measure(count) + measure(Run(words, bold=first)) > sheet.width - 8:
        count = count[:1]
    sheet.text(sheet.width, top + 9, count, anchor="right")
    total, across = int(field.value), int(sheet.width // pitch)
    rows = max(1, -(-total // across))
    panel = sheet.panel(0, top + 20, across * pitch, rows * pitch, hidden(0, across), hidden(rows, 0))
    if total == 0:
        panel.dots([0.4], [0.5], refs=[reader.ref(name)])
        panel.zero(0.4, 0.5)
    else:
        places = [(at % across + 0.5, at // across + 0.5) for at in range(total)]
        panel.dots([x for x, _ in places], [y for _, y in places], symbol=symbol, tone=tone, size=pitch - 2)
    return top + 20 + rows * pitch + 22


def _meta(reader: Reader, known: list[str]) -> dict[str, object]:
    rows: list[object] = []
    for name in known:
        field = reader.get(name)
        value = declined(field) if isinstance(field, Declined) else cell(reader.number(name, "count"))
        rows.append([cell(CLASSES[name][0]), value])
    return {
        "figure": "survivors",
        "of": reader.id,
        "title": _title(reader),
        "desc": "Rows of small squares, one row for each class of surviving mutant, one square for each mutant.",
        "caption": sentence("One square is one mutant that no corpus noticed. Only the first class is a finding."),
        "source": sentence(),
        "units": {"square": "one surviving mutant"},
        "table": {"columns": ["class", "survivors"], "rows": rows},
    }


def _title(reader: Reader) -> str:
    blind = reader.quantity("blind-spot")
    if blind is None:
        return "Survivors were not sorted"
    if not blind.of:
        return "No mutant survived every corpus"
    if blind.value == 0:
        return "No survivor changes a verdict on any input tried"
    part = "All" if blind.value == blind.of else "Most" if blind.value * 2 > blind.of else "Some"
    return f"{part} of what survives still changes a verdict"
