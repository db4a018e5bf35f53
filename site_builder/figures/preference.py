"""How often a reward model prefers the labelled reply, in all and by part, beside a rule that reads length alone."""

from __future__ import annotations

from lens.reading import Declined, Quantity
from site_builder.figures import _shares, _terms
from site_builder.figures._readings import Reader, sentence, share
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

MEDIUM = 640.0
_WHOLE = (
    ("accuracy", "every pair"),
    ("prefer-longer", "by rule, the longer reply"),
    ("prefer-shorter", "by rule, the shorter reply"),
)


@figure("preference", draws="pairs preferred as labelled, by part, with intervals", instruments=("preference",))
def preference(lookup: Lookup, id: str, width: Width, *, limit: int | str = 12) -> Spec:
    """`id` is a preference record; at most `limit` parts are drawn, the best and worst; the table has all."""
    reader = Reader(lookup, id)
    whole = [_row(reader, name, words) for name, words in _WHOLE if name in reader.fields]
    parts = sorted(
        (_row(reader, f"part.{name}", _terms.words(name)) for name, _ in reader.starting("part")), key=_place
    )
    most = int(limit)
    drawn = parts if len(parts) <= most else [*parts[: most // 2], *parts[-(most - most // 2) :]]
    sheet = Sheet(MEDIUM if width == "wide" else NARROW)
    height = _shares.draw(sheet, [*whole, *drawn], unit="% of pairs", labels=190.0 if width == "wide" else 112.0)
    chosen = "" if len(drawn) == len(parts) else " The parts with the highest and lowest shares; the table has all."
    return sheet.spec(
        height,
        {
            "figure": "preference",
            "of": id,
            "title": _title(reader),
            "desc": "A row for all pairs, two for rules that read length alone, and one for each part of the set: the "
            "share of pairs preferred as labelled, as a dot with its interval.",
            "caption": sentence(
                "First row: pairs whose labelled reply scores more; a tie counts against it. Next rows: what a rule "
                f"that reads nothing but length would get. Below: by part of the set.{chosen}"
            ),
            "source": reader.scope(),
            "units": {"x": "% of pairs"},
            "table": _shares.table([*whole, *parts], "pairs", "preferred as labelled"),
        },
    )


def _row(reader: Reader, field: str, words: str) -> _shares.Row:
    return _shares.Row(reader, field, (Run(words),), gap="too few prompts")


def _place(row: _shares.Row) -> float:
    value = row.value
    return 101.0 if isinstance(value, Declined) else -share(value)


def _title(reader: Reader) -> str:
    over = reader.quantity("over-length-rule")
    accuracy = reader.quantity("accuracy")
    if not isinstance(accuracy, Quantity):
        return "Too few prompts to say how often it prefers the labelled reply"
    if over is None or over.interval is None:
        return "How often it prefers the labelled reply, in all and by part"
    if over.interval.low > 0:
        return "It prefers the labelled reply more often than a rule that reads length alone"
    if over.interval.high < 0:
        return "It prefers the labelled reply less often than a rule that reads length alone"
    return "Not told apart from a rule that reads length alone"
