"""How the time of a call grows with the length of the answer: seconds against size, and the fitted exponents."""

from __future__ import annotations

from typing import NamedTuple

from lens.reading import Columns, Declined, Label, Quantity
from site_builder.figures import _corpora
from site_builder.figures._labels import spread
from site_builder.figures._readings import Reader, cell, declined, sentence, why
from site_builder.figures._registry import NARROW, Width, figure
from site_builder.figures._sheet import SMALL, TEXT, Sheet, axis, hidden, measure
from site_builder.lookup import Lookup
from site_builder.svg import Run, Spec
from site_builder.svg.scales import decades, nice

WIDE = 1120.0
_HEIGHT = 280.0
_LEFT = 62.0
_TOP = 26.0
_STEP = 21.0
_NAMED = 3  # lines drawn in ink and named; the rest stand grey behind
_STEEP = 1.2  # exponents up to here are linear for all that the fit can tell


class _Family(NamedTuple):
    name: str
    exponent: Quantity | Declined
    size: list[float]
    seconds: list[float]

    @property
    def rank(self) -> float:
        return self.exponent.value if isinstance(self.exponent, Quantity) else float("inf")


@figure("time-growth", draws="seconds against answer length, with fitted exponents", instruments=("time-growth",))
def time_growth(lookup: Lookup, id: str, width: Width) -> Spec:
    """`id` is a time-growth record with its `times` table: one line a family, the steepest named."""
    reader = Reader(lookup, id)
    families = _families(reader)
    if width == "wide":
        sheet = Sheet(WIDE)
        _curves(sheet, families, 0.0, 560.0)
        end = _exponents(sheet, reader, families, 610.0, WIDE - 610.0, 0.0)
        return sheet.spec(max(_TOP + _HEIGHT + 40, end), _meta(reader, families))
    sheet = Sheet(NARROW)
    _curves(sheet, families, 0.0, NARROW)
    end = _exponents(sheet, reader, families, 0.0, NARROW, _TOP + _HEIGHT + 62)
    return sheet.spec(end, _meta(reader, families))


def _families(reader: Reader) -> list[_Family]:
    """Steepest first; a family that could not be fitted comes before all others, since it took too long."""
    table: Columns = reader.table("times") or {"family": [], "size": [], "seconds": []}
    found = []
    for name, field in reader.ending("exponent"):
        if name == "worst" or not isinstance(field, Quantity | Declined):
            continue
        points = sorted(
            (size, seconds)
            for family, size, seconds in zip(table["family"], table["size"], table["seconds"], strict=True)
            if family == name and seconds > 0
        )
        found.append(_Family(name, field, [size for size, _ in points], [seconds for _, seconds in points]))
    return sorted(found, key=lambda family: (-family.rank, family.name))


def _curves(sheet: Sheet, families: list[_Family], left: float, width: float) -> None:
    """Seconds against size, both log; the named families in ink with a label at the line's end."""
    drawn = [family for family in families if family.size]
    named = _named(drawn)
    room = max((measure(_corpora.words(family.name)) for family in named), default=0.0) + 20
    sizes = [size for family in drawn for size in family.size] or [1.0, 10.0]
    times = [seconds for family in drawn for seconds in family.seconds] or [1e-6, 1e-3]
    low, high = _decade(min(times), up=False), _decade(max(times), up=True)
    span = width - _LEFT - room
    first, last = min(sizes) / 1.1, max(sizes) * 1.1
    panel = sheet.panel(
        left + _LEFT, _TOP, span, _HEIGHT,
        axis(first, last, log=True, ticks=_sizes(first, last), grid=True),
        axis(low, high, log=True, ticks=decades(low, high), style="~s", suffix="s", every=True, grid=True),
    )  # fmt: skip
    ends: list[float] = []
    for family in reversed(drawn):
        front = family in named
        panel.line(family.size, family.seconds, tone="ink" if front else "hatch", width=1.5 if front else 1)
        panel.dots(family.size, family.seconds, tone="ink" if front else "hatch", size=6 if front else 4)
    scale = _Height(low, high)
    ends = [scale.at(family.seconds[-1]) for family in named]
    for family, end, y in zip(named, ends, spread(ends, TEXT + 4, _TOP, _TOP + _HEIGHT), strict=True):
        edge = left + _LEFT + span
        sheet.text(edge + 14, y, _corpora.words(family.name))
        if abs(end - y) > 2:
            sheet.rule(edge + 1, end, edge + 11, y)
    sheet.text(left, 8, "CPU time of one call", tone="ink3", size=SMALL)
    sheet.text(
        left + _LEFT + span, _TOP + _HEIGHT + 30, "times the unit is repeated", anchor="right", tone="ink3", size=SMALL
    )


def _named(drawn: list[_Family]) -> list[_Family]:
    """The steepest, and where few are steep the slowest at their largest size."""
    steep = [family for family in drawn if isinstance(family.exponent, Quantity) and family.rank > _STEEP]
    slow = sorted(drawn, key=lambda family: -family.seconds[-1])
    names = list(dict.fromkeys(family.name for family in [*steep, *slow]))[:_NAMED]
    return [family for family in drawn if family.name in names]


class _Height(NamedTuple):
    low: float
    high: float

    def at(self, seconds: float) -> float:
        from math import log10

        share = (log10(seconds) - log10(self.low)) / (log10(self.high) - log10(self.low))
        return _TOP + _HEIGHT * (1 - share)


def _decade(value: float, *, up: bool) -> float:
    """The power of ten at or beyond a value."""
    from math import ceil, floor, log10

    return float(f"1e{(ceil if up else floor)(log10(value))}")


def _sizes(low: float, high: float) -> list[float]:
    """Ticks of 1, 2, 4, 8 times powers of ten, since sizes span less than two decades."""
    marks = [m * p for p in (1.0, 10.0, 100.0, 1e3, 1e4, 1e5, 1e6) for m in (1, 2, 4, 8)]
    return [mark for mark in marks if low <= mark <= high]


def _exponents(sheet: Sheet, reader: Reader, families: list[_Family], left: float, width: float, top: float) -> float:
    """The fitted exponent of every family with its interval; returns where the drawing ends."""
    labels = max((measure(_corpora.words(family.name)) for family in families), default=0.0) + 12
    printed = {f.name: [reader.number(f"{f.name}.exponent")] for f in families if isinstance(f.exponent, Quantity)}
    values = max((measure(line) for line in printed.values()), default=0.0) + 14
    span, height = width - labels - values, _STEP * len(families)
    reach = [f.exponent for f in families if isinstance(f.exponent, Quantity)]
    ends = [e for q in reach for e in ((q.interval.low, q.interval.high) if q.interval else (q.value,))]
    ticks = nice(min([0.0, *ends]), max([2.0, *ends]), 7)
    panel = sheet.panel(
        left + labels, top + _TOP, span, height,
        axis(ticks[0], ticks[-1], ticks=ticks, grid=True, zero=True), hidden(len(families), 0),
    )  # fmt: skip
    for index, family in enumerate(families):
        middle = top + _TOP + _STEP * (index + 0.5)
        sheet.text(left + labels - 12, middle, _corpora.words(family.name), anchor="right", tone="ink2")
        if isinstance(family.exponent, Declined):
            panel.plate(ticks[0], ticks[-1], index + 0.1, index + 0.9, why=family.exponent.detail)
            sheet.text(left + labels + span / 2, middle, why(family.exponent), anchor="center", size=SMALL, plate=True)
            continue
        interval = family.exponent.interval
        panel.dots(
            [family.exponent.value], [index + 0.5], low=[interval.low if interval else None],
            high=[interval.high if interval else None], refs=[reader.ref(f"{family.name}.exponent")],
            words=[_corpora.words(family.name)],
        )  # fmt: skip
        sheet.text(left + width, middle, printed[family.name], anchor="right")
    sheet.text(left, top + 8, "fitted exponent", tone="ink3", size=SMALL)
    unit = span / (ticks[-1] - ticks[0])
    for value, word in ((1.0, "linear"), (2.0, "square")):
        if unit > measure("linear square", SMALL) / 2:
            at = left + labels + unit * (value - ticks[0])
            sheet.text(at, top + 8, word, anchor="center", tone="ink3", size=SMALL)
    sheet.text(
        left + labels + span, top + _TOP + height + 30, "power of the size", anchor="right", tone="ink3", size=SMALL
    )
    return top + _TOP + height + 40


def _meta(reader: Reader, families: list[_Family]) -> dict[str, object]:
    rows: list[object] = []
    for family in families:
        field = f"{family.name}.exponent"
        if isinstance(family.exponent, Declined):
            rows.append([cell(_corpora.words(family.name)), *[declined(family.exponent)] * 2])
            continue
        spread_of = reader.number(field, "interval") if family.exponent.interval else ""
        rows.append([cell(_corpora.words(family.name)), cell(reader.number(field)), cell(spread_of)])
    caption: list[str | Run] = [
        "Each line writes one text over and over behind a right answer. The steepest and slowest are named, all are in "
        "the strip, with the interval of the fit."
    ]
    if reader.quantity("p50") and reader.quantity("p99"):
        caption += [" On the rows of the corpora the median call takes ", reader.number("p50")]
        caption += [", the slowest in a hundred ", reader.number("p99"), "."]
    table = reader.table("times")
    meta: dict[str, object] = {
        "figure": "time-growth",
        "of": reader.id,
        "title": _title(reader),
        "desc": "Left, seconds of a call against the size of the answer, one line a way of lengthening it, both axes "
        "logarithmic. Right, the exponent fitted to each line with its interval.",
        "caption": sentence(*caption),
        "source": sentence(),
        "units": {"x": "repeats", "y": "CPU seconds"},
        "table": {"columns": ["what is repeated", "exponent", "interval"], "rows": rows},
    }
    return meta | ({"rows": table} if table else {})


def _title(reader: Reader) -> str:
    worst, name = reader.get("worst.exponent"), reader.get("worst.family")
    what = _corpora.words(name.value) if isinstance(name, Label) else "some text"
    if isinstance(worst, Declined):
        return f"Repeating “{what}” takes so long that no exponent could be fitted"
    if not isinstance(worst, Quantity):
        return "Nobody timed this grader"
    if worst.value >= 1.5:
        return f"Time grows about {'quadratically' if worst.value < 2.5 else 'faster than the square'} with “{what}”"
    if worst.value > 1.2:
        return f"Time grows somewhat faster than the answer, most with “{what}”"
    return "Time grows no faster than the answer"
