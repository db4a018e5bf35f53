"""Foreign arithmetic, checked as intervals: what was printed stands for every value that prints so.

A printed decimal stands for ± half a unit of its last digit, a counting integer is exact, operands propagate, and the
claim holds iff the result's interval meets the printed result's own. Fractions keep the ends exact; only what is shown
is rounded, outwards.

    >>> low, high = divided(printed("3.760"), printed("5.647e-06"))
    >>> outward((low, high), 1)
    ('665692.7', '665987.8')
    >>> meets((low, high), printed("665,862"))
    True
    >>> meets(divided(printed("12"), printed("38")), printed(".32"))
    True
"""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

Ends = tuple[Fraction, Fraction]


def printed(text: str, *, rounded: bool = False) -> Ends:
    """What `1,234.5`, `.031`, `5.647e-06` or `32 %` stands for; an integer is exact unless `rounded`."""
    plain = text.strip().replace("−", "-").replace(",", "").replace("\\", "")
    percent = plain.endswith("%")
    number = Decimal(plain.rstrip("% "))
    exponent = int(number.as_tuple().exponent)
    whole = plain.rstrip("% ").lstrip("+-").isdigit()
    half = Fraction(0) if whole and not percent and not rounded else Fraction(10) ** exponent / 2
    scale = Fraction(1, 100) if percent else Fraction(1)
    return (Fraction(number) - half) * scale, (Fraction(number) + half) * scale


def divided(above: Ends, below: Ends) -> Ends | None:
    """Quotient; None where the divisor's interval holds zero."""
    if below[0] <= 0 <= below[1]:
        return None
    return _hull([one / other for one in above for other in below])


def multiplied(one: Ends, other: Ends) -> Ends:
    return _hull([left * right for left in one for right in other])


def added(one: Ends, other: Ends) -> Ends:
    return one[0] + other[0], one[1] + other[1]


def subtracted(one: Ends, other: Ends) -> Ends:
    return one[0] - other[1], one[1] - other[0]


def meets(one: Ends, other: Ends) -> bool:
    return one[0] <= other[1] and other[0] <= one[1]


def outward(ends: Ends, places: int) -> tuple[str, str]:
    """Both ends as decimals, the lower rounded down and the upper up."""
    scale = 10**places
    low, high = Fraction(math.floor(ends[0] * scale), scale), Fraction(math.ceil(ends[1] * scale), scale)
    return f"{float(low):.{places}f}", f"{float(high):.{places}f}"


def _hull(values: list[Fraction]) -> Ends:
    return min(values), max(values)
