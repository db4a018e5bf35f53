"""The depth at which the preference stands: the model's beside its controls, as rows on one axis."""

from __future__ import annotations

from site_builder.figures import _shares
from site_builder.figures._readings import Reader, sentence
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import Sheet
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec

_ROWS = (
    ("own.depth", "own norm"),
    ("own.first-crossing", "own, first time"),
    ("untrained.own.depth", "own, untrained"),
    ("length-matched.own.depth", "own, equal lengths"),
    ("frozen.depth", "last norm"),
    ("frozen.first-crossing", "last, first time"),
    ("untrained.frozen.depth", "last, untrained"),
    ("length-matched.frozen.depth", "last, equal lengths"),
)


@figure("crystallization", draws="depth at which half of the margin stands", instruments=("crystallization",))
def crystallization(lookup: Lookup, id: str, _width: Width) -> Spec:
    """`id` is a crystallization record."""
    reader = Reader(lookup, id)
    rows = [
        _shares.Row(reader, name, (Run(words),), gap="too few pairs") for name, words in _ROWS if name in reader.fields
    ]
    sheet = Sheet(NARROW)
    height = _shares.draw(sheet, rows, unit="% of the depth")
    return sheet.spec(
        height,
        {
            "figure": "crystallization",
            "of": id,
            "title": _title(reader),
            "desc": "A row for each way of reading and each control: the median depth at which half of the margin "
            "stands, as a dot with its interval.",
            "caption": sentence(
                "Median over pairs of the depth, from the embedding to the last block, after which a pair’s margin "
                "stays at least half of its end; beside it where it first gets there, re-initialised copies (the "
                "interval is where another would fall), and pairs whose sides are equally long. An index made of the "
                "raw stream is another quantity and isn’t comparable."
            ),
            "source": reader.scope(),
            "units": {"x": "% of the depth"},
            "table": _shares.table(rows, "reading", "depth"),
        },
    )


def _title(reader: Reader) -> str:
    own, control = reader.quantity("own.depth"), reader.quantity("untrained.own.depth")
    if own is None:
        return "The depth at which half of the margin stands"
    if control is None or control.interval is None:
        return "The depth at which half of the margin stands, without a control"
    if control.interval.low <= own.value <= control.interval.high:
        return "Half of the margin stands at a depth not told apart from an untrained model’s"
    early = own.value < control.interval.low
    return f"Half of the margin stands {'earlier' if early else 'later'} than in an untrained model"
