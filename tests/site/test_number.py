"""The rounding and unit policy, against figures worked out by hand."""

from __future__ import annotations

import doctest
import random
from decimal import Decimal

import pytest

from lens.reading import Declined, Interval, Kind, Label, Quantity, Quote
from lens.stats.intervals import share
from site_builder import number
from site_builder.number import NumberError, formats, render

KILLED = share(5, 374, "mutants")


def q(value: float, kind: Kind, unit: str = "", **more: object) -> Quantity:
    return Quantity(value, unit=unit, kind=kind, **more)  # type: ignore[arg-type]


CASES = [
    (KILLED, "", "5 of 374"),
    (KILLED, "count", "5 of 374"),
    (KILLED, "k", "5"),
    (KILLED, "of", "374"),
    (KILLED, "n", "374"),
    (KILLED, "word", "five"),
    (KILLED, "unit", "5 of 374 mutants"),
    (KILLED, "pct", "1.3 %"),
    (KILLED, "pctinterval", "0.6 to 3.1 %"),
    (KILLED, "low", "0.006"),
    (share(3000, 5052, "variants"), "", "3,000 of 5,052"),
    (share(0, 290, "rows"), "", "0 of 290"),
    (share(0, 290, "rows"), "pctinterval", "0.00 to 1.31 %"),
    (q(34, "size"), "word", "thirty-four"),
    (q(1400, "size", "rollouts"), "unit", "1,400 rollouts"),
    (q(0.5, "proportion"), "", "50 %"),
    (q(0.9996, "proportion"), "pct0", "99.96 %"),
    (q(0.0004, "proportion"), "pct0", "0.04 %"),
    (q(0.0004, "score"), "d2", "0.0004"),
    (q(2.5, "score"), "d0", "2"),
    (q(3.5, "score"), "d0", "4"),
    (q(0.285, "score"), "d2", "0.28"),
    (q(1.005, "score"), "d2", "1.00"),
    (q(1.99, "exponent", interval=Interval(1.97, 2.01, "fit")), "", "1.990"),
    (q(5.647e-06, "score"), "sci4", "5.647e-06"),
    (q(1.628538234458811e-42, "ratio"), "", "1.63e-42"),
    (q(-5.96e-07, "difference"), "", "-5.96e-07"),
    (q(5.96e-07, "difference"), "", "+5.96e-07"),
    (q(1.5e-06, "ratio"), "", "0.0000015"),
    (q(-0.170885, "correlation"), "d3", "-0.171"),
    (q(0.36, "difference"), "", "+0.36"),
    (q(0, "difference"), "", "0"),
    (q(2.7e-6, "duration"), "", "2.7 us"),
    (q(5400, "duration"), "", "1.5 h"),
    (q(491e6, "bytes"), "", "491 MB"),
    (Label("one line"), "", "one line"),
    (Quote("0.684 / 0.653", "fraction"), "", "0.684 / 0.653"),
]


@pytest.mark.parametrize(("field", "fmt", "text"), CASES)
def test_prints(field: Quantity | Label | Quote, fmt: str, text: str) -> None:
    assert render(field, fmt, html=False) == text


def test_html_typography() -> None:
    assert render(q(-0.170885, "correlation"), "d3", html=True) == "\u22120.171"
    assert render(KILLED, "pct1", html=True) == "1.3\u202f%"
    assert render(q(5.647e-06, "score"), "sci4", html=True) == "5.647\u202f×\u202f10⁻⁶"
    tiny = Quantity(1.628538234458811e-42, unit="p, of a trend", kind="ratio")
    assert render(tiny, "unit", html=True) == "1.63\u202f×\u202f10⁻⁴² p, of a trend"
    assert render(q(2.7e-6, "duration"), "", html=True) == "2.7\u202fµs"
    assert render(q(-0.1, "difference", interval=Interval(-0.3, -0.05, "x")), "interval", html=True) == "−0.30 to −0.05"


@pytest.mark.parametrize(
    ("field", "fmt"),
    [
        (q(1400, "count"), "pct"),
        (q(0.5, "score"), "pct1"),
        (KILLED, "pct2"),
        (q(0.684, "proportion", interval=Interval(0.62, 0.742, "wilson")), "d4"),
        (q(5, "count"), "interval"),
        (q(5, "count"), "of"),
        (q(0.5, "count"), "word"),
        (q(0.5, "score"), "d9"),
        (q(0.5, "score"), "s0"),
        (q(0.5, "score"), "percent"),
        (Quantity(0, unit="rows", kind="count", of=0), "pct"),
        (Label("words"), "d2"),
        (Quote("0 of 60", "mutants"), "pct"),
        (Declined("not_run", "no GPU", "lens measure model x"), ""),
    ],
)
def test_refuses(field: Quantity | Label | Quote | Declined, fmt: str) -> None:
    with pytest.raises(NumberError):
        render(field, fmt, html=False)


def test_rounding_is_half_even_on_the_shortest_repr() -> None:
    rng = random.Random(7)
    for _ in range(2000):
        value = round(rng.uniform(-50, 50), rng.randrange(0, 6))
        digits = rng.randrange(0, 5)
        text = render(q(value, "score"), f"d{digits}", html=False)
        error = abs(Decimal(text) - Decimal(repr(value)))
        assert error <= Decimal(5).scaleb(-len(text.partition(".")[2]) - 1)
        assert (Decimal(text) == 0) == (value == 0)


def test_a_share_below_one_is_never_full_and_above_zero_never_empty() -> None:
    for n in (10, 999, 100_000, 10**7):
        for fmt in ("pct", "pct0", "pct1"):
            low, high, full = (Quantity(k, unit="rows", kind="count", of=n) for k in (1, n - 1, n))
            assert any(digit in "123456789" for digit in render(low, fmt, html=False))
            assert not render(high, fmt, html=False).startswith("100")
            assert render(full, fmt, html=False).startswith("100")


def test_named_formats_all_print() -> None:
    for field in (KILLED, q(0.5, "proportion"), q(3, "step"), q(1.5, "duration")):
        for fmt in formats(field):
            assert render(field, fmt, html=False)
    assert {"count", "pct1", "k", "pctinterval"} <= set(formats(KILLED))
    assert "pct" not in formats(q(3, "step"))


def test_docstring() -> None:
    assert doctest.testmod(number).failed == 0
