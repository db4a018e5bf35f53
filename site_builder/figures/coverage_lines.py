"""Lines of a grader: hatched where a corpus never ran them, with the survivors of each line and branches never taken.

No source text: functions, line numbers and marks.
"""

from __future__ import annotations

from collections.abc import Iterator

from lens.reading import Columns, Declined, Quantity
from site_builder.figures import _corpora
from site_builder.figures._lines import columns, pieces
from site_builder.figures._listing import Arc, Listing, Place, State
from site_builder.figures._readings import Reader, cell, declined, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

WIDE = 1120.0
_COLUMN = 160.0  # px a column of lines needs at least
_KEYS = ("file", "function", "line", "dead")
_SHOWN = ("blind-spot", "not-told-apart", "side-effect")


@figure("coverage-lines", draws="lines and branches a corpus never reached", instruments=("branch-coverage",))
def coverage_lines(lookup: Lookup, id: str, width: Width, *, corpus: str = "gold", limit: int | str = 240) -> Spec:
    """`id` is a branch-coverage record with its `lines` and `arcs`; survivors come from its subject's own record.

    Of more than `limit` lines, whole functions are drawn, those with most lines that `corpus` never ran first;
    0 draws all.
    """
    reader = Reader(lookup, id)
    every = _live(reader.table("lines") or {"function": [], "line": []})
    named = [key for key in every if key not in _KEYS]
    base = corpus if corpus in named else min(named, key=_corpora.place, default="")
    lines = _worst(every, base, int(limit)) if base else every
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    gap = 28.0 if width == "wide" else 14.0
    count = int((sheet.width + gap) // (_COLUMN + gap))
    room = (sheet.width - gap * (count - 1)) / count
    dealt = columns(pieces(lines), count)
    listing = Listing(sheet, room, _reached(lines, base, named), _by_line(reader), [*_never_taken(reader, base, named)])
    height = max((listing.column(column, index * (room + gap)) for index, column in enumerate(dealt)), default=30.0)
    listing.finish(height)
    part = len(lines["line"]) < len(every["line"])
    return sheet.spec(height, _meta(reader, every, base, named, part=part))


def _reached(lines: Columns, base: str, named: list[str]) -> dict[Place, State]:
    files = lines.get("file", [""] * len(lines["line"]))
    return {
        place: (bool(lines[base][at]), any(lines[name][at] for name in named))
        for at, place in enumerate(zip(files, lines["line"], strict=True))
    }


def _live(lines: Columns) -> Columns:
    """Without the lines that the audited call's own arguments rule out."""
    dead = lines.get("dead", [False] * len(lines["line"]))
    keep = [at for at, ruled_out in enumerate(dead) if not ruled_out]
    return {name: [values[at] for at in keep] for name, values in lines.items() if name != "dead"}


def _worst(lines: Columns, base: str, limit: int) -> Columns:
    """Whole functions of at most `limit` lines together, those with most lines unrun first; at least one."""
    if not limit or len(lines["line"]) <= limit:
        return lines
    files = lines.get("file", [""] * len(lines["line"]))
    missed: dict[tuple[str, str], list[int]] = {}
    for at, function in enumerate(zip(files, lines["function"], strict=True)):
        missed.setdefault(function, []).append(at)
    keep: list[int] = []
    for places in sorted(missed.values(), key=lambda places: -sum(not lines[base][at] for at in places)):
        if not keep or len(keep) + len(places) <= limit:
            keep += places
    return {name: [values[at] for at in sorted(keep)] for name, values in lines.items()}


def _by_line(reader: Reader) -> dict[Place, list[str]]:
    """Classes of the survivors of each line, findings first."""
    other = reader.neighbour("survivors")
    table = (other.table("survivors") if other else None) or {"line": [], "class": []}
    found: dict[Place, list[str]] = {}
    files = table.get("file", [""] * len(table["line"]))
    for file, line, name in zip(files, table["line"], table["class"], strict=True):
        if name in _SHOWN:
            found.setdefault((file, line), []).append(name)
    return {place: sorted(names, key=_SHOWN.index) for place, names in found.items()}


def _never_taken(reader: Reader, base: str, named: list[str]) -> Iterator[Arc]:
    """Every branch the base corpus never takes."""
    table = reader.table("arcs") or {"from": [], "to": []}
    if base not in table:
        return
    files = table.get("file", [""] * len(table["from"]))
    for at, (file, start, end) in enumerate(zip(files, table["from"], table["to"], strict=True)):
        if not table[base][at]:
            yield Arc(file, start, end, any(table[name][at] for name in named if name in table))


def _meta(reader: Reader, lines: Columns, base: str, named: list[str], *, part: bool) -> dict[str, object]:
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
        "source": sentence(
            "Functions and line numbers only; the source text is not copied here."
            + (" Drawn: the functions with most lines unrun, as many as fit; all are in the CSV." if part else "")
        ),
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
