"""Benchmarks against peers: how many times our cost theirs is, with the range of the runs."""

from __future__ import annotations

from lens.reading import Declined, Quantity
from site_builder.figures import _corpora
from site_builder.figures._readings import Reader, cell, declined, sentence, why
from site_builder.figures._registry import NARROW, Width, figure, ids
from site_builder.figures._sheet import SMALL, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.metrics import wrap
from site_builder.svg.scales import decades

WIDE = 590.0
_STEP = 30.0
_SPREAD = 1.25  # the axis reaches this factor beyond the values


@figure("bench", draws="cost ratios to peers, log scale", instruments=("bench",))
def bench(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is one or more bench records, separated by commas; every `{peer}.ratio` is a row (peer ÷ ours)."""
    readers = [Reader(lookup, one) for one in ids(id)]
    rows = [
        (reader, name) for reader in readers for name, field in reader.ending("ratio")
        if isinstance(field, Declined) or (isinstance(field, Quantity) and field.value > 0)
    ]  # fmt: skip
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    return sheet.spec(_draw(sheet, rows), _meta(id, rows))


def _draw(sheet: Sheet, rows: list[tuple[Reader, str]]) -> float:
    labels = [wrap(_corpora.words(name), sheet.width * 0.4) for _, name in rows]
    left = max((measure(line) for lines in labels for line in lines), default=0.0) + 12
    printed = [_printed(reader, name) for reader, name in rows]
    span = sheet.width - left - max((measure(line) for line in printed), default=0.0) - 16
    low, high = _range(rows)
    height = _STEP * len(rows)
    panel = sheet.panel(
        left, 18, span, height,
        axis(low, high, log=True, ticks=decades(low, high, 5), suffix="×", every=True, grid=True),
        hidden(len(rows), 0),
    )  # fmt: skip
    panel.line([1, 1], [0, len(rows)], tone="ink2", dash="dash", width=1)
    for index, (reader, name) in enumerate(rows):
        middle = 18 + _STEP * (index + 0.5)
        for at, line in enumerate(labels[index]):
            y = middle + (at - (len(labels[index]) - 1) / 2) * 14
            sheet.text(left - 12, y, line, anchor="right", tone="ink2", size=SMALL if len(labels[index]) > 1 else 12.5)
        field = reader.get(f"{name}.ratio")
        if isinstance(field, Declined):
            panel.plate(low, high, index + 0.16, index + 0.84, why=field.detail)
            sheet.text(left + span / 2, middle, why(field), anchor="center", size=SMALL, plate=True)
            continue
        assert isinstance(field, Quantity)
        ends = field.interval
        panel.dots(
            [field.value], [index + 0.5], low=[ends.low if ends else None], high=[ends.high if ends else None],
            refs=[reader.ref(f"{name}.ratio")], words=[_corpora.words(name)],
        )  # fmt: skip
        sheet.text(sheet.width, middle, printed[index], anchor="right")
    _note(sheet, left, span, low, high)
    sheet.text(left + span, 18 + height + 29, "their cost in ours", anchor="right", tone="ink3", size=SMALL)
    return 18 + height + 38


def _note(sheet: Sheet, left: float, span: float, low: float, high: float) -> None:
    """Says what the dashed line is, above it and inside the drawing."""
    import math

    at = left + span * (0 - math.log10(low)) / (math.log10(high) - math.log10(low))
    half = measure("as fast", SMALL) / 2
    sheet.text(min(max(at, half), sheet.width - half), 7, "as fast", anchor="center", tone="ink2", size=SMALL)


def _printed(reader: Reader, name: str) -> list[Run]:
    if reader.quantity(f"{name}.ratio") is None:
        return []
    return [reader.number(f"{name}.ratio"), Run("×")]


def _range(rows: list[tuple[Reader, str]]) -> tuple[float, float]:
    values = [1.0]
    for reader, name in rows:
        field = reader.quantity(f"{name}.ratio")
        if field is not None:
            values += [field.value] + ([field.interval.low, field.interval.high] if field.interval else [])
    positive = [value for value in values if value > 0]
    return min(min(positive) / _SPREAD, 1 / _SPREAD), max(max(positive) * _SPREAD, 10.0)


def _meta(id_: str, rows: list[tuple[Reader, str]]) -> dict[str, object]:
    cells: list[object] = []
    measured: list[float] = []
    for reader, name in rows:
        field = reader.get(f"{name}.ratio")
        if isinstance(field, Declined):
            cells.append([cell(_corpora.words(name)), declined(field), declined(field)])
            continue
        assert isinstance(field, Quantity)
        measured.append(field.value)
        spread = reader.number(f"{name}.ratio", "interval") if field.interval else ""
        cells.append([cell(_corpora.words(name)), cell(_printed(reader, name)), cell(spread)])
    if measured and min(measured) > 1:
        title = "Every peer costs more"
    elif measured and max(measured) <= 1:
        title = "No peer costs more"
    else:
        title = "Most peers cost more" if sum(v > 1 for v in measured) * 2 > len(measured) else "Some peers cost more"
    ranged = any(isinstance(f := reader.get(f"{name}.ratio"), Quantity) and f.interval for reader, name in rows)
    return {
        "figure": "bench",
        "of": id_,
        "title": title,
        "desc": "A row for each peer with the ratio of its cost to ours as a dot, on a log scale.",
        "caption": sentence(
            "Dot: median of alternating runs on one machine, peer over ours; right of the dashed line the peer costs "
            "more. "
            + ("Line: from the smallest to the largest run." if ranged else "The range of the runs was not kept.")
        ),
        "source": sentence(),
        "units": {"x": "× our cost"},
        "table": {"columns": ["benchmark", "their cost over ours", "range"], "rows": cells},
    }
