"""The four states a number can be in, drawn with numbers of the store: the key to every page."""

from __future__ import annotations

import math

from lens.errors import UsageError
from lens.reading import Quantity, Quote
from site_builder.figures._readings import Reader, cell, ends, sentence, share
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, Sheet, hidden, measure
from site_builder.lookup import Lookup, parse
from site_builder.svg import Run, Spec
from site_builder.svg.metrics import wrap

WIDE = 1120.0
_BIG = 26.0
_DEEP = 158.0
_WORDS = {
    "Measured here": "Plain ink over a dotted line; it opens. A measured zero is a mark on the axis with its n.",
    "Reported by others": "In quotation, its source beside it. Not ours until it is measured.",
    "Declined": "A hatched field: what could not be read, why, and the command that mends it.",
    "Schematic": "Dots only, and it says so in the drawing. No value is implied.",
}


@figure("states", draws="measured, reported, declined and schematic, side by side")
def states(lookup: Lookup, id: str, width: Width, *, zero: str = "", reported: str = "", measured: str = "") -> Spec:
    """`measured`, `zero` and `reported` are `id#field` references; `measured` is the headline of `id` if left out."""
    wide = width == "wide"
    sheet = Sheet(WIDE if wide else NARROW)
    across, gap = (4, 24.0) if wide else (2, 20.0)
    room = (sheet.width - gap * (across - 1)) / across
    ours, nought = _find(lookup, measured or id, Quantity), _find(lookup, zero, Quantity) if zero else None
    theirs = _find(lookup, reported, Quote) if reported else None
    deep = _DEEP if wide else 190.0
    draws = (
        lambda place: _measured(sheet, place, ours, nought),
        lambda place: _reported(sheet, place, theirs),
        lambda place: _declined(sheet, place),
        lambda place: _schematic(sheet, place),
    )
    for index, (head, words) in enumerate(_WORDS.items()):
        left, top = index % across * (room + gap), index // across * (deep + 14) + 14
        if index % across:
            sheet.rule(left - gap / 2, top - 8, left - gap / 2, top + deep - 16, tone="hair")
        sheet.text(left, top + 8, Run(head, bold=True))
        draws[index]((left, top + 20, room))
        for at, line in enumerate(wrap(words, room, SMALL)):
            sheet.text(left, top + (102 if wide else 108) + at * 17, line, tone="ink2", size=SMALL)
    rows = -(-4 // across)
    height = rows * (deep + 14) + 2
    if wide:
        sheet.rule(0, 0.5, sheet.width, 0.5)
        sheet.rule(0, height - 0.5, sheet.width, height - 0.5)
    return sheet.spec(height, _meta(id, ours, nought, theirs))


_Found = tuple[Reader, str]
_Place = tuple[float, float, float]  # left, top, room


def _find(lookup: Lookup, ref: str, kind: type) -> _Found:
    parsed = parse(ref)
    name = parsed.field or lookup.headline(parsed.id)
    if not isinstance(lookup.field(parsed.id, name), kind):
        raise UsageError(f"{parsed.id}#{name} is not a {kind.__name__.lower()}", remedy="name a field of that kind")
    return Reader(lookup, parsed.id), name


def _measured(sheet: Sheet, place: _Place, found: _Found, zero: _Found | None) -> None:
    left, top, room = place
    reader, name = found
    line = [reader.number(name)._replace(serif=True)]
    size = _BIG if measure(line, _BIG) <= room * 0.62 else 20.0
    sheet.text(left, top + 22, line, size=size)
    end = left + min(measure(line, size), room) * 0.9  # serif faces run narrower than the estimate
    sheet.rule(left, top + 22 + size * 0.66, end, top + 22 + size * 0.66, tone="ink", width=1.5, dash="dot")
    if zero is None:
        return
    reader, name = zero
    field = reader.quantity(name)
    assert field is not None
    beside = room > 200
    x, y = (left + room * 0.62, top + 10) if beside else (left + 8, top + 58)
    span = room * 0.38 - 8 if beside else room * 0.5
    printed = reader.number(name)
    if beside:
        sheet.text(x - 4, y - 2, printed, size=SMALL)
    else:
        sheet.text(x + span + 8, y, printed, size=SMALL)
    panel = sheet.panel(x, y + (14 if beside else -8), span, 16, hidden(0, 12), hidden(-1, 1))
    panel.line([0, 12], [0, 0], tone="rule", width=1)
    low, high = ends(field)
    panel.dots([share(field)], [0], low=[low], high=[high], refs=[reader.ref(name)])
    panel.zero(0, 0)


def _reported(sheet: Sheet, place: _Place, found: _Found | None) -> None:
    left, top, room = place
    if found is None:
        return
    reader, name = found
    quoted = [Run("“", italic=True), reader.number(name)._replace(italic=True), Run("”", italic=True)]
    sheet.text(left, top + 18, quoted, size=_BIG if measure(quoted, _BIG) <= room else 20.0)
    said = reader.said("citation")
    lines = wrap(said.text, room - 12, SMALL)[:2] if said else []
    if said and lines and " ".join(lines) == said.text and len(lines) == 1:
        sheet.rule(left + 0.5, top + 40, left + 0.5, top + 40 + 18 * len(lines))
        sheet.text(left + 10, top + 49, said, tone="ink3", size=SMALL)


def _declined(sheet: Sheet, place: _Place) -> None:
    left, top, room = place
    panel = sheet.panel(left, top + 4, min(room, 230.0), 56, hidden(0, 1), hidden(0, 1))
    panel.plate(0, 1, 0, 1)
    sheet.text(left + min(room, 230.0) / 2, top + 32, "needs the source", anchor="center", plate=True)


def _schematic(sheet: Sheet, place: _Place) -> None:
    left, top, room = place
    wide = min(room, 210.0)
    panel = sheet.panel(left, top + 4, wide, 40, hidden(-3, 3), hidden(-0.05, 1.05))
    x = [-3 + step / 10 for step in range(61)]
    panel.line(x, [math.exp(-value * value / 1.2) * 0.9 + 0.1 for value in x], tone="ink2", width=2, dash="dot")
    panel.line([-3, 3], [0, 0], tone="ink2", width=2, dash="dot")
    sheet.text(left + wide / 2, top + 57, "nothing measured", anchor="center", size=SMALL)


def _meta(id_: str, ours: _Found, zero: _Found | None, theirs: _Found | None) -> dict[str, object]:
    rows: list[object] = [[cell("measured here"), cell(ours[0].number(ours[1]))]]
    if zero:
        rows.append([cell("a measured zero"), cell(zero[0].number(zero[1]))])
    if theirs:
        rows.append([cell("reported by others"), cell(theirs[0].number(theirs[1]))])
    rows += [[cell("declined"), {"declined": "needs the source"}], [cell("schematic"), cell("nothing measured")]]
    return {
        "figure": "states",
        "of": id_,
        "title": "Four things a number can be here",
        "desc": "Four fields side by side: a measured number over a dotted line, a reported one in quotation marks, a "
        "hatched field for a declined one, and a dotted curve with nothing behind it.",
        "caption": sentence("Each example is a number of this site, and its record is one step from the table."),
        "source": sentence(),
        "units": {},
        "table": {"columns": ["state", "example"], "rows": rows},
    }
