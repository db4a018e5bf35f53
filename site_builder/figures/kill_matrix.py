"""Kill matrix on a card: one panel a corpus, one square a mutant, filled where a row of the corpus noticed it."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns, Declined, Quantity
from site_builder.figures import _corpora, _mutants
from site_builder.figures._readings import Reader, cell, declined, ends, sentence, share, why
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

WIDE = 1120.0
_PITCH = 6.0
_LEAST = 16.0  # px an operator's label needs
_HEAD = 106.0  # px above the squares: name, rows, count, strip


class _Grid(NamedTuple):
    """Where panels stand: label column, panels a row, panel width and gap, in px."""

    labels: float
    across: int
    panel: float
    gap: float
    short: bool  # whether heads take their short form

    @property
    def columns(self) -> int:
        return int(self.panel // _PITCH)


@figure("kill-matrix", draws="mutants noticed by each corpus, by operator and line", instruments=("kill-matrix",))
def kill_matrix(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a kill-matrix record; its subject's corpus-adequacy record, if there, fills the foot."""
    reader = Reader(lookup, id)
    table = reader.table("mutants") or {"mutant": [], "operator": [], "line": [], "function": []}
    corpora = sorted((c for c, _ in reader.ending("killed") if c in table), key=_corpora.place)
    found = _mutants.blocks(table)
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    grid = _grid(sheet.width, corpora, found)
    top = 0.0
    for start in range(0, len(corpora), grid.across):
        if start:
            top += 30
        top = _row(sheet, reader, table, found, corpora[start : start + grid.across], grid, top)
    return sheet.spec(top, _meta(reader, corpora))


def _grid(width: float, corpora: list[str], found: list[_mutants.Block]) -> _Grid:
    labels = max([measure(_mutants.name(block.operator), SMALL) for block in found] + [measure("best constant", SMALL)])
    labels += 12
    across, gap = (2, 12.0) if width == NARROW else (max(1, min(len(corpora), 8)), 20.0)
    room = (width - labels - gap * (across - 1)) / across
    panel = _PITCH * min(room // _PITCH, 40)
    if across > 1 and width > NARROW:
        gap = min((width - labels - panel * across) / (across - 1), 60.0)
    heads = max((measure(Run(_corpora.title(corpus), bold=True), SMALL) for corpus in corpora), default=0.0)
    return _Grid(labels, across, panel, gap, heads > panel + gap - 8)


def _row(
    sheet: Sheet,
    reader: Reader,
    table: Columns,
    found: list[_mutants.Block],
    corpora: list[str],
    grid: _Grid,
    top: float,
) -> float:
    """One row of panels and its foot; returns where it ends."""
    squares, height = top + _HEAD, 0.0
    for index, corpus in enumerate(corpora):
        left = grid.labels + index * (grid.panel + grid.gap)
        _head(sheet, reader, corpus, left, top, grid)
        rows, firsts = _mutants.lattice(found, _mutants.killed(table, corpus), grid.columns, -int(-_LEAST // _PITCH))
        height = len(rows) * _PITCH
        if not rows:
            continue
        y = hidden(len(rows) - 0.5, -0.5)
        if index == 0:
            names = [_mutants.name(block.operator) for block in found]
            y = axis(len(rows) - 0.5, -0.5, ticks=[first + 0.2 for first in firsts], words=names)
        panel = sheet.panel(left, squares, grid.panel, height, hidden(-0.5, grid.columns - 0.5), y)
        panel.lattice(rows, words=_words(table, found, grid.columns, len(rows), firsts))
    end = squares + height
    adequacy = reader.neighbour("corpus-adequacy")
    return _foot(sheet, adequacy, corpora, grid, end + 16) if adequacy else end + 4


def _head(sheet: Sheet, reader: Reader, corpus: str, left: float, top: float, grid: _Grid) -> None:
    sheet.text(left, top + 8, Run(_corpora.title(corpus, short=grid.short), bold=True), size=SMALL)
    rows = reader.rows(corpus)
    if rows:
        sheet.text(left, top + 26, [rows, Run(" rows")], tone="ink3", size=SMALL)
    sheet.text(left, top + 48, reader.count(f"{corpus}.killed"), size=15)
    _strip(sheet, reader, corpus, left, top + 62, grid.panel)


def _strip(sheet: Sheet, reader: Reader, corpus: str, left: float, top: float, width: float) -> None:
    """The rate on a scale from 0 to 100 %, or a hatched strip that says it was declined."""
    rate = reader.get(f"{corpus}.rate")
    if isinstance(rate, Declined):
        panel = sheet.panel(left, top, width, 30, hidden(0, 100), hidden(0, 1))
        panel.plate(0, 100, 0, 1, why=rate.detail)
        sheet.text(left + width / 2, top + 15, why(rate), anchor="center", size=SMALL, plate=True)
        return
    field = reader.quantity(f"{corpus}.rate") or reader.quantity(f"{corpus}.killed")
    if field is None:
        return
    name = f"{corpus}.rate" if reader.quantity(f"{corpus}.rate") else f"{corpus}.killed"
    low, high = ends(field)
    printed = reader.number(name, "pct0" if low is None else "pctinterval")
    right = share(field) < 50
    sheet.text(
        left + width if right else left, top + 8, printed, anchor="right" if right else "left", tone="ink3", size=SMALL
    )
    panel = sheet.panel(left, top + 16, width, 12, hidden(0, 100), hidden(-1, 1))
    panel.line([0, 0, None, 0, 100, None, 100, 100], [-0.7, 0.7, None, 0, 0, None, -0.7, 0.7], tone="rule", width=1)
    panel.dots([share(field)], [0], size=7, low=[low], high=[high], refs=[reader.ref(name)])
    if field.value == 0:
        panel.zero(0, 0)


def _foot(sheet: Sheet, adequacy: Reader, corpora: list[str], grid: _Grid, top: float) -> float:
    """Rows on which a null grader and the checker disagree, under a rule."""
    right = grid.labels + len(corpora) * (grid.panel + grid.gap) - grid.gap
    sheet.rule(0, top, right, top)
    lines = (
        ("raw equality", "equality-differs", "identical", " identical"),
        ("best constant", "best-constant-differs", "", ""),
    )
    y = top + 16
    for label, differs, beside, words in lines:
        sheet.text(grid.labels - 10, y, Run(label, bold=True), anchor="right", size=SMALL)
        deep = False
        for index, corpus in enumerate(corpora):
            left = grid.labels + index * (grid.panel + grid.gap)
            field = adequacy.quantity(f"{corpus}.{differs}")
            if field is None:
                continue
            same = field.value == 0
            sheet.text(
                left,
                y,
                [Run("differs on ", bold=same), adequacy.number(f"{corpus}.{differs}", "k", bold=same)],
                size=SMALL,
            )
            if beside and adequacy.quantity(f"{corpus}.{beside}"):
                second = [adequacy.number(f"{corpus}.{beside}", "k"), Run(words)]
            elif field.note and measure(field.note, SMALL) <= grid.panel + grid.gap - 8:
                second = [Run(field.note, f"{adequacy.ref(f'{corpus}.{differs}')}@note")]
            else:
                continue
            deep = True
            sheet.text(left, y + 17, second, tone="ink3", size=SMALL)
        y += 44 if deep else 27
    return y - 12


def _words(table: Columns, found: list[_mutants.Block], columns: int, rows: int, firsts: list[int]) -> list[list[str]]:
    """What a square says when pointed at: function and line."""
    grid = [[""] * columns for _ in range(rows)]
    for block, first in zip(found, firsts, strict=True):
        for at, index in enumerate(block.mutants):
            grid[first + at // columns][at % columns] = f"{table['function'][index]}:{table['line'][index]}"
    return grid


def _title(reader: Reader, corpora: list[str]) -> str:
    """The finding in one sentence, chosen by comparing shares; no numerals."""
    shares = {c: share(f) for c in corpora if (f := reader.quantity(f"{c}.killed")) and f.of}
    if not shares:
        return "No mutant of this grader was run"
    best, worst = max(shares, key=lambda c: shares[c]), min(shares, key=lambda c: shares[c])
    most, least = _corpora.plural(best), _corpora.plural(worst)
    if shares[worst] < 5 and shares[best] >= 50:
        how = "nothing" if shares[worst] == 0 else "almost nothing"
        return f"{least[0].upper()}{least[1:]} notice {how}; {most} notice most"
    if shares[worst] < 5 and best != worst:
        return f"{least[0].upper()}{least[1:]} notice almost nothing; {most} notice more, and still little"
    if shares[best] < 50:
        return f"No corpus notices much of the damage; {most} come nearest"
    if shares[worst] >= 50:
        return f"Every corpus notices much of the damage, {most} the most"
    return f"{most[0].upper()}{most[1:]} notice the most damage, {least} the least"


def _meta(reader: Reader, corpora: list[str]) -> dict[str, object]:
    sampled = reader.quantity("sampled")
    census = sampled is not None and sampled.value == sampled.of
    caption: list[str | Run] = ["One square is one mutant"]
    if sampled is not None and census:
        caption += [", ", reader.number("sampled", "of"), " in all, none left out"]
    elif sampled is not None:
        caption += [", ", reader.number("sampled", "k"), " drawn from ", reader.number("sampled", "of")]
        caption += [" by a seeded sample stratified by operator and function"]
    caption += [
        "; a mutant keeps its place in every panel, ordered by operator and line. Filled: a row of the corpus gives "
        "another outcome. Under the count its rate, from none to all",
        "." if census else ", with its interval.",
        " It is declined where the corpus can’t tell the grader from something trivial. Bottom lines: rows on which a "
        "null grader and this one disagree.",
    ]
    named = reader.said("spec") or reader.said("fingerprint")
    source: list[str | Run] = ["Grader ", named._replace(mono=True), "."] if named else []
    heads = ", ".join(_corpora.title(c) for c in corpora)
    return {
        "figure": "kill-matrix",
        "of": reader.id,
        "title": _title(reader, corpora),
        "desc": f"Small squares in blocks by operator, a panel for each corpus: {heads}. Filled squares are mutants "
        "that a row of the corpus noticed.",
        "caption": sentence(*caption),
        "source": sentence(*source),
        "units": {"square": "one mutant"},
        "table": _table(reader, corpora),
    }


def _table(reader: Reader, corpora: list[str]) -> dict[str, object]:
    adequacy = reader.neighbour("corpus-adequacy")
    rows: list[object] = []
    for c in corpora:
        rate, lines = reader.get(f"{c}.rate"), reader.rows(c)
        row: list[object] = [cell(_corpora.title(c)), cell(lines or "")]
        row.append(cell(reader.number(f"{c}.killed", "count")))
        if isinstance(rate, Declined):
            row.append(declined(rate))
        elif isinstance(rate, Quantity):
            row.append(cell(reader.number(f"{c}.rate", "pct" if ends(rate)[0] is None else "pctinterval")))
        else:
            row.append(cell(""))
        for name in ("equality-differs", "best-constant-differs"):
            known = adequacy is not None and adequacy.quantity(f"{c}.{name}")
            row.append(cell(adequacy.number(f"{c}.{name}", "count") if adequacy and known else ""))
        rows.append(row)
    columns = ["corpus", "rows", "mutants noticed", "rate", "raw equality differs", "best constant differs"]
    return {"columns": columns, "rows": rows}
