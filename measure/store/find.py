"""What holds a printed number: each print stands for an interval, and a value matches when it lies inside.

0.684   0.6835 to 0.6845       35.6%   a proportion from 0.3555 to 0.3565
374     the whole number 374 where something is counted, 373.5 to 374.5 elsewhere
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from typing import NamedTuple

from lens.errors import UsageError
from lens.reading import Declined, Field, Quantity, Quote
from measure.store.record import Record
from measure.store.text import shown

_NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?")
_SHARES = ("proportion", "ratio", "correlation")


class Printed(NamedTuple):
    """A number as it was printed: every value from `low` to `high` would have been."""

    low: Decimal
    high: Decimal
    whole: bool
    percent: bool

    def holds(self, value: float | Decimal, *, counted: bool) -> bool:
        exact = Decimal(repr(value)) if isinstance(value, int | float) else value
        if counted and self.whole:
            return exact == (self.low + self.high) / 2
        return self.low <= exact <= self.high


class Hit(NamedTuple):
    """One place that holds the number; `part` is the value, its interval's ends, `of`, `n`, or the share k / n."""

    id: str
    field: str
    part: str
    text: str


def printed(text: str) -> Printed:
    """Read `1,234.5`, `.031`, `5.647e-06`, `−0.3` or `35.6 %`. Raises UsageError on anything else."""
    plain = text.strip().replace("\u2212", "-").replace("\\%", "%")
    percent = plain.endswith("%")
    plain = re.sub(r"(?<=\d)[,\u202f\u2009\u00a0 ](?=\d{3}(?!\d))", "", plain.rstrip("%").rstrip())
    if not _NUMBER.fullmatch(plain):
        raise UsageError(f"{text!r} is not a number", remedy="lens evidence find 0.684, or 35.6%, or 374")
    number = Decimal(plain)
    half = Decimal((0, (5,), int(number.as_tuple().exponent) - 1))
    scale = Decimal("0.01") if percent else Decimal(1)
    whole = not percent and plain.lstrip("+-").isdigit()
    return Printed((number - half) * scale, (number + half) * scale, whole, percent)


def find(text: str, records: Iterable[Record]) -> list[Hit]:
    """Every place in `records` that holds the printed number `text`: values first, then what stands beside them."""
    wanted = printed(text)
    hits = [
        Hit(record.id, name, part, shown(field))
        for record in records
        for name, field in record.fields.items()
        for part, value, kind in _parts(field)
        if (not wanted.percent or kind in _SHARES) and wanted.holds(value, counted=kind in ("count", "size", "step"))
    ]
    return sorted(hits, key=lambda hit: hit.part != "value")


def _parts(field: Field) -> Iterator[tuple[str, float | Decimal, str]]:
    """Everything in a field that could be printed as a number, with its kind."""
    match field:
        case Quantity():
            yield "value", field.value, field.kind
            if field.interval is not None:
                yield "low", field.interval.low, field.kind
                yield "high", field.interval.high, field.kind
            for part, size in (("of", field.of), ("n", field.n), ("n_eff", field.n_eff)):
                if size is not None:
                    yield part, size, "size"
            if field.of:
                yield "share", Decimal(field.value) / Decimal(field.of), "proportion"
        case Quote(value=value) if value is not None:
            yield "value", value, "proportion" if "%" in field.printed + field.unit else field.kind
        case Declined(bound=bound) if bound is not None:
            yield from ((f"bound.{part}", value, kind) for part, value, kind in _parts(bound))
