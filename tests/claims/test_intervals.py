"""Foreign arithmetic as intervals: the two worked examples, and what rounding may and may not hide."""

from __future__ import annotations

from fractions import Fraction

import pytest
from conftest import Check
from hypothesis import given
from hypothesis import strategies as st

from site_builder.claims.intervals import added, divided, meets, multiplied, outward, printed, subtracted


def test_a_quotient_of_printed_decimals_meets_the_published_result() -> None:
    ends = divided(printed("3.760"), printed("5.647e-06"))
    assert ends is not None
    assert outward(ends, 1) == ("665692.7", "665987.8")
    assert meets(ends, printed("665,862"))
    assert not meets(ends, printed("665,988"))


def test_twelve_of_thirty_eight_prints_as_a_third_of_a_hundred() -> None:
    ends = divided(printed("12"), printed("38"))
    assert ends == (Fraction(12, 38), Fraction(12, 38))
    assert printed(".32") == (Fraction("0.315"), Fraction("0.325"))
    assert meets(ends, printed(".32"))
    assert not meets(ends, printed(".31"))


@pytest.mark.parametrize(
    ("text", "low", "high"),
    [
        ("374", "374", "374"),
        ("1,234.5", "1234.45", "1234.55"),
        (".031", "0.0305", "0.0315"),
        ("5.647e-06", "0.0000056465", "0.0000056475"),
        ("−0.3", "-0.35", "-0.25"),
        ("32 %", "0.315", "0.325"),
        ("35.6%", "0.3555", "0.3565"),
    ],
)
def test_a_print_stands_for_every_value_that_prints_so(text: str, low: str, high: str) -> None:
    assert printed(text) == (Fraction(low), Fraction(high))


def test_a_divisor_that_may_be_zero_gives_nothing() -> None:
    assert divided(printed("1"), printed("0.0")) is None


number = st.decimals(min_value=-1000, max_value=1000, allow_nan=False, allow_infinity=False, places=3)


@given(number, number)
def test_rounded_operands_never_exclude_the_true_result(one, other) -> None:  # type: ignore[no-untyped-def]
    left, right = (printed(f"{value:.2f}") for value in (one, other))
    for worked, true in (
        (added(left, right), Fraction(one) + Fraction(other)),
        (subtracted(left, right), Fraction(one) - Fraction(other)),
        (multiplied(left, right), Fraction(one) * Fraction(other)),
    ):
        assert worked[0] <= true <= worked[1]
    quotient = divided(left, right)
    if quotient is not None:
        assert quotient[0] <= Fraction(one) / Fraction(other) <= quotient[1]


def test_the_worked_examples_pass_in_a_foreign_text_and_their_neighbours_do_not(check: Check) -> None:
    assert check("3.760/5.647e-06 = 665,862; 12/38 = .32", scope="loose") == []
    found = check("3.760/5.647e-06 = 666,862; 12/38 = .33", scope="loose")
    assert [(one.code, one.text) for one in found] == [("EV027", "666,862"), ("EV027", ".33")]
    assert found[0].message == "666,862 is printed, the operands give 665692.78 to 665987.79"
