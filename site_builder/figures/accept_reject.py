"""What a grader pays for that it shouldn't, or refuses that it shouldn't: one row a relation."""

from __future__ import annotations

from typing import Literal

from lens.reading import Declined, Quantity
from site_builder.figures import _corpora, _shares
from site_builder.figures._readings import Reader, sentence, share
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

_WORDS = {
    "accept": ("wrong answers accepted", "pays for", "accept"),
    "reject": ("right answers refused", "refuses", "refuse"),
}


@figure("accept-reject", draws="share of variants paid or refused, by relation", instruments=("variants",))
def accept_reject(
    lookup: Lookup, id: str, _width: Width, *, side: Literal["accept", "reject"] = "accept", limit: int | str = 6
) -> Spec:
    """`id` is a variants record; `side` is accept or reject; the `limit` worst relations are drawn, all are tabled."""
    reader = Reader(lookup, id)
    named = [name for name, field in reader.starting(side) if isinstance(field, Quantity | Declined)]
    rows = [_shares.Row(reader, f"{side}.{name}", (Run(_corpora.words(name)),)) for name in named]
    ranked = _shares.worst_first(rows)
    drawn = ranked[: int(limit)]
    sheet = Sheet(NARROW)
    height = _shares.draw(sheet, drawn, unit=_WORDS[side][0])
    left = len(ranked) - len(drawn)
    return sheet.spec(
        height,
        {
            "figure": "accept-reject",
            "of": id,
            "title": _title(side, ranked),
            "desc": f"A row for each relation with the share of {_WORDS[side][0]} as a dot and its interval as a line, "
            "from none to all.",
            "caption": sentence(_caption(left)),
            "source": sentence(),
            "units": {"x": f"% {_WORDS[side][0]}"},
            "table": _shares.table(ranked, "relation", _WORDS[side][0]),
        },
    )


def _caption(left: int) -> str:
    shown = (
        "The worst relations, worst first; every relation is in the table." if left else "Every relation, worst first."
    )
    return f"{shown} Line: Wilson interval of the share. Relations are never pooled."


def _title(side: str, ranked: list[_shares.Row]) -> str:
    measured = [(row, share(value)) for row in ranked if isinstance(value := row.value, Quantity)]
    verb = _WORDS[side][1]
    if not measured:
        return f"Nobody measured what it {verb}"
    worst, most = measured[0]
    name = worst.label[0].text
    if most == 0:
        return f"It {verb} none of the {'wrong' if side == 'accept' else 'right'} answers tried"
    amount = "every" if most == 100 else "most answers" if most > 50 else "some answers"
    kind = "wrong" if side == "accept" else "right"
    if amount == "every":
        return f"It {verb} every {kind} answer of the form “{name}”"
    return f"It {verb} {amount.replace('answers', f'{kind} answers')} of the form “{name}”"
