"""How many mutants a corpus notices as it grows: one line a corpus, rows on a log axis."""

from __future__ import annotations

import math

from lens.reading import Columns, Declined
from site_builder.figures import _corpora
from site_builder.figures._labels import spread
from site_builder.figures._readings import Reader, cell, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, TEXT, Sheet, axis, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.palette import Tone
from site_builder.svg.scales import decades, nice

WIDE = 590.0
_HEIGHT = 250.0
_LEFT = 44.0
_TOP = 26.0


@figure("adequacy-curve", draws="mutants noticed against corpus size", instruments=("kill-matrix",))
def adequacy_curve(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a kill-matrix record with an `adequacy` table; its last point is the corpus' own count."""
    reader = Reader(lookup, id)
    table = reader.table("adequacy") or {"corpus": [], "rows": [], "killed": []}
    curves = {c: _curve(table, c) for c in sorted(set(table["corpus"]), key=_corpora.place)}
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    labels = {c: _label(reader, c, short=width == "narrow") for c in curves if reader.quantity(f"{c}.killed")}
    room = max((measure(line) for line in labels.values()), default=0.0) + 16
    span = sheet.width - _LEFT - room
    most = max(table["rows"], default=10)
    ticks = nice(0, max([f.of or 1 for c in curves if (f := reader.quantity(f"{c}.killed"))], default=1))
    panel = sheet.panel(
        _LEFT, _TOP, span, _HEIGHT,
        axis(1, max(most, 2), log=True, ticks=decades(1, max(most, 2), 6 if width == "wide" else 4), grid=True),
        axis(0, ticks[-1], ticks=ticks, grid=True, zero=True),
    )  # fmt: skip
    last: dict[str, float] = {}
    for corpus, (rows, killed) in curves.items():
        field = reader.quantity(f"{corpus}.killed")
        if field is None or not rows:
            continue
        tone: Tone = "hatch" if isinstance(reader.get(f"{corpus}.rate"), Declined) else "ink"
        panel.line(rows, killed, tone=tone)
        ends = field.interval if field.interval and field.interval.low < field.interval.high else None
        low, high = (ends.low * (field.of or 1), ends.high * (field.of or 1)) if ends else (None, None)
        panel.dots(
            rows[-1:], killed[-1:], tone=tone, size=7, flat=False, low=[low], high=[high],
            refs=[reader.ref(f"{corpus}.killed")], words=[_corpora.title(corpus)],
        )  # fmt: skip
        last[corpus] = _TOP + _HEIGHT * (1 - killed[-1] / ticks[-1])
    _place(sheet, labels, curves, last, most, span)
    sheet.text(0, 8, "mutants noticed", tone="ink3", size=SMALL)
    sheet.text(_LEFT + span, _TOP + _HEIGHT + 30, "rows of the corpus", anchor="right", tone="ink3", size=SMALL)
    return sheet.spec(_TOP + _HEIGHT + 40, _meta(reader, table, list(curves)))


def _curve(table: Columns, corpus: str) -> tuple[list[float], list[float]]:
    points = sorted(
        (r, k) for c, r, k in zip(table["corpus"], table["rows"], table["killed"], strict=True) if c == corpus and r
    )
    return [r for r, _ in points], [k for _, k in points]


def _label(reader: Reader, corpus: str, *, short: bool) -> list[Run]:
    name = _corpora.title(corpus, short=short)
    return [reader.number(f"{corpus}.killed", "k", bold=True), Run(f" {name}", tone="ink2")]


def _place(
    sheet: Sheet,
    labels: dict[str, list[Run]],
    curves: dict[str, tuple[list[float], list[float]]],
    last: dict[str, float],
    most: float,
    span: float,
) -> None:
    """Labels beside the panel at their line's last height, moved apart, with a hair back to a line that ends early."""

    heights = spread([last[c] for c in last], TEXT + 4, _TOP, _TOP + _HEIGHT)
    for corpus, y in zip(last, heights, strict=True):
        end = _LEFT + span * math.log10(curves[corpus][0][-1]) / math.log10(max(most, 2))
        edge = _LEFT + span
        if end < edge - 6:
            sheet.rule(end + 7, last[corpus], edge - 4, last[corpus], tone="hair")
        if abs(y - last[corpus]) > 2:
            sheet.rule(edge - 4 if end < edge - 6 else edge + 6, last[corpus], edge + 12, y, tone="rule")
        sheet.text(edge + 14, y, labels[corpus])


def _meta(reader: Reader, table: Columns, corpora: list[str]) -> dict[str, object]:
    rows: list[object] = [
        [cell(_corpora.title(c)), cell(reader.rows(c) or ""), cell(reader.number(f"{c}.killed", "count"))]
        for c in corpora
        if reader.quantity(f"{c}.killed")
    ]
    return {
        "figure": "adequacy-curve",
        "of": reader.id,
        "title": _title(table, corpora),
        "desc": "A line for each corpus that rises with the number of its rows to the number of mutants it notices.",
        "caption": sentence(
            "Mutants noticed by the first rows of each corpus, in its own order. Grey: corpora whose rate is declined. "
            "A line at the end of a curve is the interval of its last point, where mutants were sampled."
        ),
        "source": sentence(),
        "units": {"x": "rows", "y": "mutants noticed"},
        "table": {"columns": ["corpus", "rows", "mutants noticed"], "rows": rows},
        "rows": table,
    }


def _title(table: Columns, corpora: list[str]) -> str:
    finals = {c: _curve(table, c) for c in corpora}
    known = {c: (rows[-1], killed[-1]) for c, (rows, killed) in finals.items() if rows}
    if len(known) < 2:
        return "What more rows of the same kind notice"
    best = max(known, key=lambda c: known[c][1])
    who = _corpora.plural(best)[0].upper() + _corpora.plural(best)[1:]
    small = any(known[c][0] * 5 <= known[other][0] and known[c][1] > known[other][1] for c in known for other in known)
    if small or any(rows > known[best][0] for rows, _ in known.values()):
        return "What rows say matters more than how many there are"
    most = all(rows < known[best][0] for c, (rows, _) in known.items() if c != best)
    return f"{who} notice the most{', and are the most rows' if most else ''}"
