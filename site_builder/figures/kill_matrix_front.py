"""Kill matrices of several graders side by side: a row a grader, a panel a corpus."""

from __future__ import annotations

from lens.reading import Columns, Declined
from site_builder.figures import _corpora, _mutants
from site_builder.figures._readings import Reader, cell, sentence, share, why
from site_builder.figures._registry import NARROW, Width, figure, ids
from site_builder.figures._sheet import SMALL, Sheet, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

WIDE = 1120.0
_PITCH = 6.0
_DEFAULT = ("gold", "crossed", "labelled", "fuzz")


@figure("kill-matrix-front", draws="mutants noticed, several graders and corpora", instruments=("kill-matrix",))
def kill_matrix_front(lookup: Lookup, id: str, width: Width, *, corpora: str = "") -> Spec:
    """`id` is one or more kill-matrix records, `corpora` the corpora to show (four by default), separated by commas."""
    readers = [Reader(lookup, one) for one in ids(id)]
    wanted = ids(corpora) or _chosen(readers)
    draw = _wide if width == "wide" else _narrow
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    return sheet.spec(draw(sheet, readers, wanted), _meta(readers, wanted))


def _chosen(readers: list[Reader]) -> list[str]:
    there = {corpus for reader in readers for corpus, _ in reader.ending("killed")} - {"any", "constant-control"}
    first = [corpus for corpus in _DEFAULT if corpus in there]
    rest = sorted(there - set(first), key=_corpora.place)
    return sorted((first + rest)[:4], key=_corpora.place)


def _wide(sheet: Sheet, readers: list[Reader], corpora: list[str]) -> float:
    names = max((measure(Run(reader.subject, bold=True)) for reader in readers), default=0.0)
    labels, gap = max(names + 24, 150.0), 28.0
    columns = int((sheet.width - labels - gap * (len(corpora) - 1)) / len(corpora) // _PITCH)
    panel = columns * _PITCH
    gap = (sheet.width - labels - panel * len(corpora)) / max(1, len(corpora) - 1)
    places = [labels + index * (panel + gap) for index in range(len(corpora))]
    for corpus, left in zip(corpora, places, strict=True):
        sheet.text(left, 8, Run(_corpora.title(corpus), bold=True))
    top = 30.0
    for reader in readers:
        sheet.text(0, top + 8, Run(reader.subject, bold=True))
        if reader.quantity("sampled"):
            sheet.text(0, top + 25, [reader.number("sampled", "k"), Run(" mutants")], tone="ink3", size=SMALL)
        ends = [
            _panel(sheet, reader, c, (left, top), columns, short=False) for c, left in zip(corpora, places, strict=True)
        ]
        top = max([top + 44, *ends]) + 14
    return top - 8


def _narrow(sheet: Sheet, readers: list[Reader], corpora: list[str]) -> float:
    columns = int((sheet.width - 20) / 2 // _PITCH)
    right = sheet.width - columns * _PITCH
    top = 0.0
    for reader in readers:
        sheet.text(0, top + 8, Run(reader.subject, bold=True))
        if reader.quantity("sampled"):
            count = [reader.number("sampled", "k"), Run(" mutants")]
            beneath = measure(count, SMALL) + measure(Run(reader.subject, bold=True)) > sheet.width - 10
            sheet.text(sheet.width, top + (25 if beneath else 8), count, anchor="right", tone="ink3", size=SMALL)
            top += 16 if beneath else 0
        top += 22
        for start in range(0, len(corpora), 2):
            ends = []
            for left, corpus in zip((0.0, right), corpora[start : start + 2], strict=False):
                sheet.text(left, top + 8, _corpora.title(corpus), tone="ink2", size=SMALL)
                ends.append(_panel(sheet, reader, corpus, (left, top + 18), columns, short=True))
            top = max(ends) + 8
        top += 14
    return top - 16


def _panel(
    sheet: Sheet, reader: Reader, corpus: str, place: tuple[float, float], columns: int, *, short: bool
) -> float:
    """One panel with its count, and a hatched swatch where the rate is declined; returns where it ends."""
    left, top = place
    table: Columns = reader.table("mutants") or {}
    if corpus not in table or reader.quantity(f"{corpus}.killed") is None:
        field = reader.get(f"{corpus}.killed")
        words = why(field) if isinstance(field, Declined) else "not measured"
        panel = sheet.panel(left, top, columns * _PITCH, 24, hidden(0, 1), hidden(0, 1))
        panel.plate(0, 1, 0, 1)
        sheet.text(left + columns * _PITCH / 2, top + 12, words, anchor="center", size=SMALL, plate=True)
        return top + 30
    rows = _mutants.plain(_mutants.killed(table, corpus), _mutants.blocks(table), columns)
    height = len(rows) * _PITCH
    panel = sheet.panel(left, top, columns * _PITCH, height, hidden(-0.5, columns - 0.5), hidden(len(rows) - 0.5, -0.5))
    panel.lattice(rows)
    line = [reader.number(f"{corpus}.killed", "count")]
    counted = reader.rows(corpus)
    if counted:
        line += [Run(" on ", tone="ink3"), counted._replace(tone="ink3")] + (
            [] if short else [Run(" rows", tone="ink3")]
        )
    bottom = top + height + 12
    sheet.text(left, bottom, line)
    rate = reader.get(f"{corpus}.rate")
    if isinstance(rate, Declined):
        bottom += 18
        swatch = sheet.panel(left, bottom - 7, 14, 14, hidden(0, 1), hidden(0, 1))
        swatch.plate(0, 1, 0, 1, why=rate.detail)
        sheet.text(left + 20, bottom, why(rate), tone="ink2", size=SMALL)
    return bottom + 10


def _meta(readers: list[Reader], corpora: list[str]) -> dict[str, object]:
    rows: list[object] = []
    for reader in readers:
        counts = [reader.number(f"{c}.killed", "count") if reader.quantity(f"{c}.killed") else "" for c in corpora]
        rows.append([cell(reader.subject), *(cell(count) for count in counts)])
    return {
        "figure": "kill-matrix-front",
        "of": " ".join(reader.id for reader in readers),
        "title": _title(readers, corpora),
        "desc": "Small squares, a row of panels for each grader and a panel for each corpus; filled where it noticed.",
        "caption": sentence(
            "One square is one mutant, in the same place in every panel of its grader, ordered by operator and line. "
            "Filled: a row of the corpus gives another outcome. Hatched: the corpus can’t tell the grader from "
            "something trivial, so no rate is given for it."
        ),
        "source": sentence(),
        "units": {"square": "one mutant"},
        "table": {"columns": ["grader", *(_corpora.title(c) for c in corpora)], "rows": rows},
    }


def _title(readers: list[Reader], corpora: list[str]) -> str:
    spans = []
    for reader in readers:
        shares = [share(f) for c in corpora if (f := reader.quantity(f"{c}.killed")) and f.of]
        spans.append(max(shares, default=0.0) - min(shares, default=0.0))
    if spans and min(spans) >= 10:
        return "The answers decide what is noticed: the same mutants, another corpus, another count"
    return "The same mutants under several corpora"
