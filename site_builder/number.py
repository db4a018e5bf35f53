"""The one rounding and unit policy: a field and a format in, the printed text out.

Decimal, half-even, on the shortest repr. A format chooses precision only:

    (none)       by kind: "5 of 374", "68.2 %", "0.684", "2.7 µs", "1,400"; "1.63e-42" for what lies under a millionth
    count  k  of  n  neff      "5 of 374" and its parts; n and neff are rows and unique rows
    pct  pct0..pct3            percent: a proportion, or the share of a "k of n"
    d0..d6  s1..s6  sci1..sci6 decimals, significant digits, scientific
    interval  low  high        the interval's ends, plain; pctinterval  pctlow  pcthigh  in percent
    unit                       the default print and its unit: "5 of 374 mutants"
    raw                        the stored value at full precision
    word                       a whole number below 100 spelled out; a label's own words

No format may claim more than two significant digits of the interval's half-width. A non-zero value never
prints as 0 and a proportion below 1 never as 100 %: digits are added until it doesn't. HTML takes U+2212
and a narrow no-break space before "%"; otherwise the text is ASCII.

    >>> killed = Quantity(5, unit="mutants", kind="count", of=374)
    >>> render(killed, html=False), render(killed, "pct1", html=False)
    ('5 of 374', '1.3 %')
    >>> render(Quantity(1400, unit="calls", kind="count"), "pct", html=False)
    Traceback (most recent call last):
    ...
    site_builder.number.NumberError: a count without "of" has no percent: 1400 calls
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import ROUND_HALF_EVEN, Context, Decimal
from typing import assert_never

from lens.errors import LensError
from lens.reading import Declined, Field, Interval, Label, Quantity, Quote

_CONTEXT = Context(prec=60, rounding=ROUND_HALF_EVEN)
_SIZED = re.compile(r"(pct|d|s|sci)(\d)\Z")
_SUPERSCRIPT = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_TIMES = (("h", "3600"), ("min", "60"), ("s", "1"), ("ms", "1e-3"), ("us", "1e-6"), ("ns", "1e-9"))
_SIZES = (("GB", "1e9"), ("MB", "1e6"), ("kB", "1e3"), ("B", "1"))
_LEAST = -6  # power of ten under which leading zeros are counted for the reader
_WHOLE = {"count", "size", "step"}
_ONES = [
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"),
]
_TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


class NumberError(LensError):
    """A format that does not fit the field, or claims more precision than its interval gives."""


def render(field: Field, fmt: str = "", *, html: bool) -> str:
    """The printed text of `field` under `fmt`. Raises NumberError where the format does not fit."""
    match field:
        case Quantity():
            text = _quantity(field, fmt)
            return typographic(text) if html else text
        case Label():
            if fmt not in ("", "word", "raw"):
                raise NumberError(f"a label has no format {fmt!r}: {field.value}")
            return field.value
        case Quote():
            if fmt:
                raise NumberError(
                    f"a reported figure prints as its source printed it, without {fmt!r}: {field.printed}"
                )
            return field.printed
        case Declined():
            raise NumberError(f"a declined value can't be printed as a number: {field.reason}", remedy=field.remedy)
        case _:
            assert_never(field)


def machine(field: Quantity | Label | Quote) -> str:
    """The value for `<data value>`: the shortest repr of the number, or the words."""
    match field:
        case Quantity():
            return repr(field.value)
        case Label():
            return field.value
        case Quote():
            return field.printed if field.value is None else repr(field.value)


def formats(field: Quantity) -> list[str]:
    """Every named format that fits `field`; used in messages and by the search for a printed number."""
    names = ["", "count", "k", "of", "n", "neff", "interval", "low", "high", "pctinterval", "pctlow", "pcthigh", "unit"]
    names += [
        "raw",
        "word",
        "pct",
        *(f"{family}{digits}" for family in ("pct", "d", "s", "sci") for digits in range(7)),
    ]
    return [name for name in names if _fits(field, name)]


def _fits(field: Quantity, fmt: str) -> bool:
    try:
        _quantity(field, fmt)
    except NumberError:
        return False
    return True


def _quantity(field: Quantity, fmt: str) -> str:
    if (sized := _SIZED.match(fmt)) is not None:
        return _sized(field, sized[1], int(sized[2]))
    if fmt not in _NAMED:
        raise NumberError(f"unknown format {fmt!r}", remedy=f"one of {', '.join(filter(None, formats(field)))}")
    return _NAMED[fmt](field)


def _sized(field: Quantity, family: str, digits: int) -> str:
    if digits > (3 if family == "pct" else 6) or (digits == 0 and family in ("s", "sci")):
        raise NumberError(f"unknown format {family}{digits}", remedy="pct0..pct3, d0..d6, s1..s6, sci1..sci6")
    value = _share(field) * 100 if family == "pct" else _decimal(field.value)
    places = digits if family in ("pct", "d") else digits - 1 - (value.adjusted() if value else 0)
    scale = 100 if family == "pct" else 1
    own = field.kind == "count" and family != "pct"  # a count is printed to its own precision
    limit = None if own else _finest(field.interval, scale)
    if limit is not None and places > limit:
        raise NumberError(
            f"{family}{digits} claims more than two digits of the interval's half-width: "
            f"{field.value} [{field.interval.low}, {field.interval.high}]"  # type: ignore[union-attr]
        )
    if family == "sci":
        return _scientific(value, digits)
    ceiling = scale if _is_share(field) else None
    return _sign(field, _places(value, places, ceiling)) + (" %" if family == "pct" else "")


def _scientific(value: Decimal, digits: int) -> str:
    mantissa, _, power = f"{_CONTEXT.plus(value):.{digits - 1}e}".partition("e")
    return f"{mantissa}e{int(power):+03d}"


def _default(field: Quantity) -> str:
    if field.of is not None:
        return f"{_integer(field.value)} of {_integer(field.of)}"
    if field.kind == "proportion":
        return _percent(field)
    if field.kind == "duration":
        return _scaled(field, _TIMES, 2)
    if field.kind == "bytes":
        return _scaled(field, _SIZES, 3)
    if field.kind in _WHOLE and float(field.value).is_integer():
        return _integer(field.value)
    value = _decimal(field.value)
    if value and value.adjusted() < _LEAST and _finest(field.interval, 1) is None:
        return _sign(field, _scientific(value, 3))
    return _sign(field, _auto(value, field.interval, 1, significant=3))


def _percent(field: Quantity) -> str:
    percent = _share(field) * 100
    finest = _finest(field.interval, 100)
    text = _places(percent, 1 if finest is None else min(finest, 3), 100)
    whole = percent == percent.to_integral_value()
    return (text.partition(".")[0] if whole else text) + " %"


def _scaled(field: Quantity, units: tuple[tuple[str, str], ...], significant: int) -> str:
    value = _decimal(field.value)
    unit, size = next(((u, s) for u, s in units if abs(value) >= Decimal(s)), units[-1])
    interval = field.interval
    if interval is not None:
        interval = Interval(interval.low / float(size), interval.high / float(size), interval.method, interval.level)
    return f"{_auto(value / Decimal(size), interval, 1, significant=significant)} {unit}"


def _of(field: Quantity) -> str:
    if field.of is None:
        raise NumberError(f'a count without "of": {field.value} {field.unit}')
    return _integer(field.of)


def _count(field: Quantity) -> str:
    return f"{_k(field)} of {_of(field)}"


def _k(field: Quantity) -> str:
    if not float(field.value).is_integer():
        raise NumberError(f"not a whole number: {field.value} {field.unit}")
    return _integer(field.value)


def _rows(field: Quantity) -> str:
    if field.n is None:
        raise NumberError(f"no n was recorded: {field.value} {field.unit}")
    return _integer(field.n)


def _unique_rows(field: Quantity) -> str:
    if field.n_eff is None:
        raise NumberError(f"no effective n was recorded: {field.value} {field.unit}")
    return _integer(field.n_eff)


def _word(field: Quantity) -> str:
    value = field.value
    if not (float(value).is_integer() and 0 <= value < 100):
        raise NumberError(f"only whole numbers below a hundred are spelled out: {value}")
    number = int(value)
    if number < 20:
        return _ONES[number]
    return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")


def _ends(percent: bool, *which: str) -> Callable[[Quantity], str]:
    def text(field: Quantity) -> str:
        if field.interval is None:
            raise NumberError(f"no interval was recorded: {field.value} {field.unit}")
        if percent and not _is_share(field):
            raise NumberError(f'only a proportion or a "k of n" takes percent: {field.value} {field.unit}')
        scale = 100 if percent else 1
        ends = [_end(field, which_end, scale) for which_end in which]
        return " to ".join(ends) + (" %" if percent else "")

    return text


def _end(field: Quantity, which: str, scale: int) -> str:
    """One end, rounded half-even like the value, except that an end inside (0, 1) never reaches 0 or 1."""
    assert field.interval is not None
    value = _decimal(getattr(field.interval, which)) * scale
    places = _finest(field.interval, scale)
    if places is None:
        return _auto(value, None, scale, significant=3)
    return _sign(field, _places(value, places, scale if _is_share(field) else None), positive="")


_NAMED: dict[str, Callable[[Quantity], str]] = {
    "": _default,
    "count": _count,
    "k": _k,
    "of": _of,
    "n": _rows,
    "neff": _unique_rows,
    "pct": _percent,
    "interval": _ends(False, "low", "high"),
    "low": _ends(False, "low"),
    "high": _ends(False, "high"),
    "pctinterval": _ends(True, "low", "high"),
    "pctlow": _ends(True, "low"),
    "pcthigh": _ends(True, "high"),
    "unit": lambda field: f"{_default(field)} {field.unit}".rstrip(),
    "raw": lambda field: repr(field.value),
    "word": _word,
}


def _decimal(value: int | float) -> Decimal:
    return Decimal(value) if isinstance(value, int) else Decimal(repr(value))


def _is_share(field: Quantity) -> bool:
    return field.kind == "proportion" or field.of is not None


def _share(field: Quantity) -> Decimal:
    if field.kind == "proportion":
        return _decimal(field.value)
    if field.kind == "count" and field.of is None:
        raise NumberError(f'a count without "of" has no percent: {field.value} {field.unit}')
    if field.of is None:
        raise NumberError(f'only a proportion or a "k of n" takes percent: {field.value} {field.unit}')
    if field.of == 0:
        raise NumberError(f"0 of 0 has no share: {field.unit}")
    return _CONTEXT.divide(_decimal(field.value), Decimal(field.of))


def _finest(interval: Interval | None, scale: int) -> int | None:
    """Most decimals allowed: two significant digits of the half-width. None where nothing limits them."""
    if interval is None or interval.high == interval.low:
        return None
    half = (_decimal(interval.high) - _decimal(interval.low)) / 2 * scale
    return max(0, 1 - half.adjusted())


def _auto(value: Decimal, interval: Interval | None, scale: int, *, significant: int) -> str:
    places = _finest(interval, scale)
    if places is None:
        places = max(0, significant - 1 - (value.adjusted() if value else 0))
        own = -min(0, int(value.normalize().as_tuple().exponent))
        places = min(places, own)
    return _places(value, places, None)


def _places(value: Decimal, places: int, ceiling: int | None) -> str:
    """`value` to `places` decimals, more where it would print as 0 or reach the ceiling without being either."""
    places = max(0, places)
    while True:
        rounded = _CONTEXT.quantize(value, Decimal(1).scaleb(-places))
        false_zero = value != 0 and rounded == 0
        false_full = ceiling is not None and value < ceiling <= rounded
        if not (false_zero or false_full):
            return f"{abs(rounded) if rounded == 0 else rounded:,f}"
        places += 1


def _integer(value: int | float) -> str:
    return f"{int(value):,d}" if float(value).is_integer() else _auto(_decimal(value), None, 1, significant=3)


def _sign(field: Quantity, text: str, positive: str = "+") -> str:
    """A difference carries its sign; zero has none."""
    signed = field.kind == "difference" and not text.startswith("-") and any(digit in "123456789" for digit in text)
    return positive + text if signed else text


_THIN = "\u202f"  # narrow no-break space
_POWER = re.compile(r"([-+]?[\d.]+)e([+-]\d+)(?= |\Z)")
_MINUS = re.compile(r"(?<![A-Za-z])-(?=[\d.])")
_MICRO = re.compile(r"(?<=\d) us\b")
_SIGN = re.compile(r"(?<=\d) (?=(?:%|h|min|s|ms|µs|ns|GB|MB|kB|B)\Z)")


def typographic(text: str) -> str:
    """True minus, narrow no-break space before a unit sign, micro sign, powers of ten as superscripts."""
    if (power := _POWER.match(text)) is not None:
        exponent = str(int(power[2])).translate(_SUPERSCRIPT)
        return f"{power[1].replace('-', '−')}{_THIN}×{_THIN}10{exponent}{text[power.end() :]}"
    return _SIGN.sub(_THIN, _MICRO.sub(" µs", _MINUS.sub("−", text)))
