"""What an account of a policy's response would have to separate: a drawing with nothing measured behind it."""

from __future__ import annotations

import math

from lens.reading import Declined
from site_builder.figures._readings import Reader, cell, declined, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet, hidden
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

WIDE = 590.0
_PARTS = ("pressure applied", "what was cheap to change", "movement seen", "left unexplained")
_TALL = 176.0


@figure(
    "response-schematic", draws="four parts of a policy's response, none measured", instruments=("policy-response",)
)
def response_schematic(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a policy-response record: what it declined is listed in the table."""
    reader = Reader(lookup, id)
    sheet = Sheet(WIDE if width == "wide" else NARROW)
    wide = width == "wide"
    sheet.text(sheet.width / 2, 14, Run("nothing measured", bold=True), anchor="center", plate=True)
    panel = sheet.panel(0, 40, sheet.width, _TALL, hidden(-4.2, 5.2), hidden(0, 1.1))
    x = [-4.2 + at * 9.4 / 47 for at in range(48)]
    for centre, height in ((-0.7, 0.82), (1.7, 0.96)):
        y = [height * math.exp(-((one - centre) ** 2) / 1.7) for one in x]
        panel.line(x, y, tone="ink2", width=2, dash="dot")
    panel.line([-4.2, 5.2], [0, 0], tone="ink2", width=2, dash="dot")
    sheet.text(sheet.width * 0.19, 40 + _TALL * 0.2, "policy before", anchor="center", tone="ink2")
    sheet.text(sheet.width * 0.82, 40 + _TALL * 0.12, "policy after", anchor="center", tone="ink2")
    top = 40 + _TALL + 26
    start = sheet.width * (0.372 if wide else 0.52)
    for at, (name, share) in enumerate(zip(_PARTS, (0.54, 0.35, 0.45, 0.16), strict=True)):
        y_at = top + at * 24
        whole = sheet.width - start
        left = start if at < 3 else start + whole * 0.45
        end = left + whole * share
        sheet.rule(left, y_at, end, y_at, tone="ink2", width=2, dash="dot")
        sheet.text(start - 12, y_at, name, anchor="right", tone="ink2")
    return sheet.spec(top + 4 * 24 - 8, _meta(reader))


def _meta(reader: Reader) -> dict[str, object]:
    rows: list[object] = [[cell(name), cell("nothing measured")] for name in _PARTS]
    closure = reader.get("closure")
    if isinstance(closure, Declined):
        rows.append([cell("whether they add up"), declined(closure)])
    return {
        "figure": "response-schematic",
        "of": reader.id,
        "title": "Four things that an account of the response has to tell apart",
        "desc": "Two dotted bell shapes, the policy before and after; under them four dotted lines of no measured "
        "length: pressure applied, what was cheap to change, movement seen, what is left unexplained.",
        "caption": sentence("A schematic. It has no axis and no value, and its lengths mean nothing."),
        "source": sentence("Drawn by hand; no record stands behind it."),
        "units": {},
        "table": {"columns": ["part", "state"], "rows": rows},
    }
