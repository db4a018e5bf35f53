"""Whether reward models agree: Cohen's kappa of their verdicts, two at a time."""

from __future__ import annotations

from lens.reading import Declined, Quantity
from site_builder.figures import _matrix
from site_builder.figures._readings import Reader, cell, declined, sentence
from site_builder.figures._registry import Width, figure
from site_builder.lookup import Lookup
from site_builder.svg import Spec


@figure("agreement", draws="agreement of reward models, two at a time", instruments=("agreement",))
def agreement(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is an agreement record."""
    reader = Reader(lookup, id)
    twos = _twos(reader)
    names = list(dict.fromkeys(name for two in twos for name in two))
    heat = _matrix.empty(len(names))
    for first, second in twos:
        field = reader.get(f"{first}.{second}.kappa")
        for row, column in ((names.index(first), names.index(second)), (names.index(second), names.index(first))):
            if isinstance(field, Quantity):
                heat.values[row][column] = float(field.value)
                heat.refs[row][column] = reader.ref(f"{first}.{second}.kappa")
            else:
                heat.gaps.append((row, column))
    sheet, height = _matrix.draw(reader, names, heat, width, unit="kappa")
    return sheet.spec(
        height,
        {
            "figure": "agreement",
            "of": id,
            "title": _title(reader),
            "desc": f"A matrix of agreement between {len(names) and 'reward models'}, two at a time, as Cohen’s kappa.",
            "caption": sentence(
                "Cohen’s kappa of what two models say of the same pairs (right, wrong, tied): none is what their "
                "accuracies alone give, all is one verdict. Intervals over prompts are in the table. Rewards of two "
                "models are never compared, only their verdicts and orders. Agreement says nothing of who is right."
            ),
            "source": reader.scope(),
            "units": {"cell": "kappa"},
            "table": _table(reader, twos),
        },
    )


def _twos(reader: Reader) -> list[tuple[str, str]]:
    found = []
    for head, _ in reader.ending("same"):
        first, _, second = head.partition(".")
        found.append((first, second))
    return found


def _title(reader: Reader) -> str:
    low, wrong = reader.quantity("kappa.lowest"), reader.quantity("all-wrong")
    expected = reader.quantity("expected.all-wrong")
    if wrong is not None and wrong.interval is not None and expected is not None:
        if wrong.interval.low > expected.value:
            return "They fail on the same pairs more often than independent errors would"
        if wrong.interval.high < expected.value:
            return "They fail on the same pairs less often than independent errors would"
        return "They fail on the same pairs about as often as independent errors would"
    if low is not None and low.interval is not None and low.interval.low > 0:
        return "Every two agree more than their accuracies alone would make them"
    return "How far two models agree beyond their accuracies"


def _table(reader: Reader, twos: list[tuple[str, str]]) -> dict[str, object]:
    rows: list[object] = []
    for first, second in twos:
        head = f"{first}.{second}"
        kappa, rank = reader.get(f"{head}.kappa"), reader.get(f"{head}.rank")
        row: list[object] = [cell(f"{first}, {second}"), cell(reader.number(f"{head}.same"))]
        row.append(cell(reader.number(f"{head}.expected")))
        for name, field in (("kappa", kappa), ("rank", rank)):
            if isinstance(field, Declined):
                row += [declined(field)] * 2
            else:
                spread = isinstance(field, Quantity) and field.interval
                row += [
                    cell(reader.number(f"{head}.{name}")),
                    cell(reader.number(f"{head}.{name}", "interval") if spread else ""),
                ]
        rows.append(row)
    heads = ("same verdict", "by accuracy alone", "kappa", "interval", "rank correlation", "interval")
    return {"columns": ["models", *heads], "rows": rows}
