"""Rank agreement of attribution and patching as others report it, dimension by dimension, over one measured with its
control."""

from __future__ import annotations

from lens.reading import Columns, Quantity, Quote
from site_builder.figures import _terms
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure, ids
from site_builder.figures._sheet import SMALL, TEXT, Panel, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

WIDE = 590.0
_ROW = 20.0
_SYMBOLS = ("circle-open", "square-open", "triangle-left")
_LIMIT = len(_SYMBOLS)
_STEM = "faithfulness."


@figure("rank-sources", draws="rank agreement, reported by dimension and measured with its control",
        instruments=("faithfulness", "reported"))  # fmt: skip
def rank_sources(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a faithfulness record measured here, then up to three reported ones, separated by commas."""
    first, *rest = ids(id)
    own, others = Reader(lookup, first), [Reader(lookup, one) for one in rest[:_LIMIT]]
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    top = _key(sheet, others)
    names = _dimensions(others)
    left = max([measure(_terms.words(name), SMALL) for name in names] + [measure("ours, planted", SMALL)]) + 12
    height = _ROW * (len(names) + 2.4)
    ticks = [-1.0, 0.0, 1.0]
    right = measure("−0.99") + 8
    panel = sheet.panel(
        left, top, sheet.width - left - right, height, axis(-1, 1, ticks=ticks, grid=True, zero=True),
        hidden(height / _ROW, 0),
    )  # fmt: skip
    for at, name in enumerate(names):
        sheet.text(left - 12, top + (at + 0.5) * _ROW, _terms.words(name), anchor="right", tone="ink2", size=SMALL)
    for reader, symbol in zip(others, _SYMBOLS, strict=False):
        known = [(value, at) for at, name in enumerate(names) if (value := _value(reader, name)) is not None]
        panel.dots(
            [value for value, _ in known], [at + 0.5 for _, at in known], symbol=symbol, size=8,
            refs=[reader.ref(_STEM + names[at]) for _, at in known],
        )  # fmt: skip
    _own(sheet, panel, own, (left, top), len(names) + 1.0)
    sheet.text(sheet.width - right, top + height + 31, "Spearman’s ρ", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(top + height + 38, _meta(own, others, names))


def _key(sheet: Sheet, others: list[Reader]) -> float:
    """Each source's symbol, its subject and, quoted, the mean it reports."""
    for at, (reader, symbol) in enumerate(zip(others, _SYMBOLS, strict=False)):
        middle = 8.0 + at * 19
        swatch = sheet.panel(0, middle - 6, 12, 12, hidden(0, 1), hidden(0, 1))
        swatch.dots([0.5], [0.5], symbol=symbol, size=8)
        line = [Run(reader.subject)]
        if isinstance(reader.get("faithfulness"), Quote):
            mean = reader.number("faithfulness")._replace(italic=True)
            line += [Run(", mean “", tone="ink3"), mean, Run("”", tone="ink3")]
        fits = measure(line, TEXT) <= sheet.width - 18
        sheet.text(18, middle, line if fits else line[:1], size=SMALL)
    return 8.0 + len(others) * 19 + 6


def _dimensions(others: list[Reader]) -> list[str]:
    found = [name.removeprefix(_STEM) for reader in others for name in reader.fields if name.startswith(_STEM)]
    return list(dict.fromkeys(found))


def _value(reader: Reader, name: str) -> float | None:
    field = reader.get(_STEM + name)
    return None if not isinstance(field, Quote) or field.value is None else float(field.value)


def _own(sheet: Sheet, panel: Panel, own: Reader, corner: tuple[float, float], at: float) -> None:
    """What was measured here, with its interval, over grey ticks: untrained copies of the model."""
    left, top = corner
    field = own.quantity("rho-mean")
    if field is None:
        return
    middle = top + (at + 0.4) * _ROW
    sheet.text(left - 12, middle, "ours, planted", anchor="right", size=SMALL)
    panel.lines([[(one, at + 0.75), (one, at + 1.15)] for one in _copies(own)], tone="hatch", width=2)
    low, high = (field.interval.low, field.interval.high) if field.interval else (None, None)
    panel.dots([float(field.value)], [at + 0.4], low=[low], high=[high], size=7, refs=[own.ref("rho-mean")])
    sheet.text(sheet.width, middle, own.number("rho-mean", "s2", bold=True), anchor="right")


def _copies(own: Reader) -> list[float]:
    table: Columns = own.table("controls") or {"what": []}
    rows = [at for at, what in enumerate(table["what"]) if what == "untrained" and not table["axis"][at]]
    return [float(table["rho-mean"][at]) for at in rows if table["rho-mean"][at] is not None]


def _title(own: Reader) -> str:
    field, control = own.quantity("rho-mean"), own.quantity("untrained.rho-mean")
    if field is None or control is None or control.interval is None:
        return "Agreement of two rankings, reported and measured"
    if field.value > control.interval.high:
        return "Agreement is reported without a control; ours lies above its own"
    return "Agreement is reported without a control; ours lies inside its own"


def _meta(own: Reader, others: list[Reader], names: list[str]) -> dict[str, object]:
    rows: list[object] = []
    for name in names:
        row = [cell(_terms.words(name))]
        for reader in others:
            known = isinstance(reader.get(_STEM + name), Quote)
            row.append(cell(reader.number(_STEM + name) if known else ""))
        rows.append(row)
    untrained = isinstance(own.get("untrained.rho-mean"), Quantity)
    caption: list[str | Run] = [
        "Open: reported by others for each of their dimensions; one number a dimension, without interval or control. "
        "Filled: measured here on a model with planted rules, with its interval. Grey: untrained copies of that model"
    ]
    caption += [", ", own.number("untrained.rho-mean", "s2"), " on average."] if untrained else ["."]
    return {
        "figure": "rank-sources",
        "of": own.id,
        "title": _title(own),
        "desc": "A row a dimension with an open mark for each source’s reported rank correlation between minus one and "
        "one; below, one filled dot with its interval over grey ticks for untrained copies.",
        "caption": sentence(*caption),
        "source": own.scope(),
        "units": {"x": "Spearman’s ρ"},
        "table": {"columns": ["dimension", *(reader.subject for reader in others)], "rows": rows},
    }
