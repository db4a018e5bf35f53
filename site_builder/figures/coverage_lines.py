"""Lines of a grader: hatched where a corpus never ran them, with the survivors of each line and branches never taken.

No source text: functions, line numbers and marks.
"""

from __future__ import annotations

from collections.abc import Iterator

from lens.reading import Columns, Declined, Quantity
from site_builder.figures import _corpora
from site_builder.figures._lines import Piece, columns, pieces
from site_builder.figures._readings import Reader, cell, declined, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Panel, Sheet, axis, hidden, measure
from site_builder.figures.survivors import CLASSES
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.palette import Tone

WIDE = 1120.0
_ROW = 14.0
_COLUMN = 160.0  # px a column of lines needs at least
_GUTTER = 9.0
_HOOKS = 40.0  # px right of the gutter for branches never taken
_KEYS = ("file", "function", "line", "dead")
_Place = tuple[str, int]  # file, line
_State = tuple[bool, bool]  # ran under the base corpus, under any
_SHOWN = ("blind-spot", "not-told-apart", "side-effect")


@figure("coverage-lines", draws="lines and branches a corpus never reached", instruments=("branch-coverage",))
def coverage_lines(lookup: Lookup, id: str, width: Width, *, corpus: str = "gold") -> Spec:
    """`id` is a branch-coverage record with its `lines` and `arcs`; survivors come from its subject's own record."""
    reader = Reader(lookup, id)
    lines = _live(reader.table("lines") or {"function": [], "line": []})
    named = [key for key in lines if key not in _KEYS]
    base = corpus if corpus in named else min(named, key=_corpora.place, default="")
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    gap = 28.0 if width == "wide" else 14.0
    count = int((sheet.width + gap) // (_COLUMN + gap))
    room = (sheet.width - gap * (count - 1)) / count
    dealt = columns(pieces(lines), count)
    listing = _Listing(sheet, reader, lines, base, named, room)
    bottoms = [listing.column(column, index * (room + gap)) for index, column in enumerate(dealt)]
    return sheet.spec(max(bottoms, default=30.0), _meta(reader, lines, base, named))


class _Listing:
    """Draws columns of lines."""

    def __init__(self, sheet: Sheet, reader: Reader, lines: Columns, base: str, named: list[str], width: float) -> None:
        self.sheet, self.base, self.width = sheet, base, width
        files = lines.get("file", [""] * len(lines["line"]))
        self.reached: dict[_Place, _State] = {
            place: (bool(lines[base][at]), any(lines[name][at] for name in named))
            for at, place in enumerate(zip(files, lines["line"], strict=True))
        }
        self.survivors = _by_line(reader)
        digits = max((len(f"{line:,}") for line in lines["line"]), default=1)
        self.numbers = measure(Run("0" * digits, mono=True), SMALL) + 8
        self.gutter = width - _HOOKS - _GUTTER
        most = max((len(found) for found in self.survivors.values()), default=0)
        self.pitch = max(3.5, min(7.0, (self.gutter - self.numbers - 12) / max(most, 1)))
        self.hooks = list(_never_taken(reader, base, named))

    def column(self, found: list[Piece], left: float) -> float:
        """One column from the top; returns where it ends."""
        top = 2.0
        for piece in found:
            if piece.head:
                self.sheet.text(left, top + _ROW / 2, _name(piece.function, self.width), size=SMALL, tone="ink2")
                top += _ROW + 2
            height = (piece.last - piece.first + 1) * _ROW
            self._piece(piece, left, top, height)
            top += height + _ROW * 0.7
        return top

    def _piece(self, piece: Piece, left: float, top: float, height: float) -> None:
        shown = [line for line in range(piece.first, piece.last + 1) if (piece.file, line) in self.reached]
        y = axis(piece.last + 0.5, piece.first - 0.5, ticks=shown, mono=True)
        x0 = left + self.numbers
        panel = self.sheet.panel(x0, top, self.width - self.numbers, height, hidden(x0, left + self.width), y)
        gutter = left + self.gutter
        for first, last, state in _stretches(piece.file, shown, self.reached):
            if state[0]:
                panel.line([gutter + 1.5] * 2, [first - 0.5, last + 0.5], tone="cell", width=3)
            else:
                tone: Tone = "hatch" if state[1] else "ink"
                panel.plate(gutter, gutter + _GUTTER, first - 0.5, last + 0.5, outline=False, tone=tone)
        self._squares(panel, piece.file, shown, gutter - 6)
        self._arcs(panel, piece, gutter + _GUTTER + 3)

    def _squares(self, panel: Panel, file: str, shown: list[int], right: float) -> None:
        for name in _SHOWN:
            places = [
                (right - (at + 0.5) * self.pitch, line)
                for line in shown
                for at, found in enumerate(reversed(self.survivors.get((file, line), [])))
                if found == name
            ]
            if places:
                _, symbol, tone = CLASSES[name]
                x, y = [a for a, _ in places], [b for _, b in places]
                panel.dots(x, y, symbol=symbol, tone=tone, size=self.pitch - 1.5)

    def _arcs(self, panel: Panel, piece: Piece, left: float) -> None:
        """Branches never taken, as hooks from their line to the line they would lead to."""
        lanes: list[tuple[int, int]] = []
        for file, start, end, by_any in self.hooks:
            if file != piece.file or not piece.first <= start <= piece.last:
                continue
            inside = piece.first <= end <= piece.last
            target = float(end) if inside else min(piece.last + 0.4, start + 0.9)
            lane = sum(first <= start <= last or first <= end <= last for first, last in lanes) % 4
            lanes.append((min(start, end if inside else start), max(start, end if inside else start)))
            x = left + 8 + 8 * lane
            shade: Tone = "ink2" if by_any else "ink"
            if inside:
                panel.line([left, x, x, left + 3], [start, start, target, target], tone=shade, width=1)
                panel.dots([left + 2], [target], symbol="triangle-left", size=6, tone=shade)
            else:
                panel.line([left, x], [start, start], tone=shade, width=1)
                panel.dots([x], [start], symbol="triangle-right", size=6, tone=shade)


def _live(lines: Columns) -> Columns:
    """Without the lines that the audited call's own arguments rule out."""
    dead = lines.get("dead", [False] * len(lines["line"]))
    keep = [at for at, ruled_out in enumerate(dead) if not ruled_out]
    return {name: [values[at] for at in keep] for name, values in lines.items() if name != "dead"}


def _name(function: str, room: float) -> Run:
    """A function's name, its outer names left off where they don't fit."""
    run = Run(function, mono=True)
    while measure(run, SMALL) > room and "." in run.text:
        run = run._replace(text=run.text.partition(".")[2])
    return run


def _by_line(reader: Reader) -> dict[_Place, list[str]]:
    """Classes of the survivors of each line, findings first."""
    other = reader.neighbour("survivors")
    table = (other.table("survivors") if other else None) or {"line": [], "class": []}
    found: dict[_Place, list[str]] = {}
    files = table.get("file", [""] * len(table["line"]))
    for file, line, name in zip(files, table["line"], table["class"], strict=True):
        if name in _SHOWN:
            found.setdefault((file, line), []).append(name)
    return {place: sorted(names, key=_SHOWN.index) for place, names in found.items()}


def _never_taken(reader: Reader, base: str, named: list[str]) -> Iterator[tuple[str, int, int, bool]]:
    """(file, from, to, whether another corpus takes it) of every branch the base corpus never takes."""
    table = reader.table("arcs") or {"from": [], "to": []}
    if base not in table:
        return
    files = table.get("file", [""] * len(table["from"]))
    for at, (file, start, end) in enumerate(zip(files, table["from"], table["to"], strict=True)):
        if not table[base][at]:
            yield file, start, end, any(table[name][at] for name in named if name in table)


def _stretches(file: str, shown: list[int], reached: dict[_Place, _State]) -> Iterator[tuple[int, int, _State]]:
    """Neighbouring lines in one state; lines without code between two of a state take it."""
    start = 0
    for at in range(1, len(shown) + 1):
        state = reached[file, shown[start]]
        if at == len(shown) or reached[file, shown[at]] != state:
            last = shown[at] - 1 if at < len(shown) else shown[at - 1]
            yield shown[start], last, state
            start = at


def _meta(reader: Reader, lines: Columns, base: str, named: list[str]) -> dict[str, object]:
    rows: list[object] = []
    for name in [*named, "any"]:
        field = reader.get(f"{name}.taken")
        if isinstance(field, Declined):
            rows.append([cell(_corpora.title(name)), declined(field)])
        elif isinstance(field, Quantity):
            rows.append(
                [cell("any corpus" if name == "any" else _corpora.title(name)), cell(reader.number(f"{name}.taken"))]
            )
    caption: list[str | Run] = [
        f"Hatching: lines that {_corpora.plural(base)} never run; dark, where no corpus does. Hooks: branches "
        "never taken. Squares: mutants of the line that survive every corpus, filled where an input tells them apart, "
        "outlined where none was found, dotted where only a side effect differs."
    ]
    if reader.quantity(f"{base}.taken"):
        caption += [" Of the branch arcs ", reader.number(f"{base}.taken"), " were taken."]
    return {
        "figure": "coverage-lines",
        "of": reader.id,
        "title": _title(lines, base),
        "desc": "Line numbers in columns, function by function, with a margin that is hatched beside lines never run.",
        "caption": sentence(*caption),
        "source": sentence("Functions and line numbers only; the source text is not copied here."),
        "units": {"y": "line of the file"},
        "table": {"columns": ["corpus", "branch arcs taken"], "rows": rows},
        "rows": lines,
    }


def _title(lines: Columns, base: str) -> str:
    who = _corpora.plural(base) if base else "the corpora"
    who = who[0].upper() + who[1:]
    ran = [bool(value) for value in lines.get(base, [])]
    if not ran:
        return "No line of this grader was followed"
    missed = ran.count(False) / len(ran)
    if missed == 0:
        return f"{who} run every line that can be reached"
    if missed <= 0.5:
        return f"{who} leave {'a few' if missed < 0.1 else 'some' if missed < 0.3 else 'many'} lines unrun"
    return f"{who} leave most lines unrun"
