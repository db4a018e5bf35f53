"""Spellings of a fraction, and the fraction turned over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from decimal import Decimal

from lens.graders.relations import Case, relation

_SIMPLE = re.compile(r"(-?)\\frac\{(\d+)\}\{(\d+)\}")
_ONE_DIGIT = re.compile(r"\\frac\{(\d)\}\{(\d)\}(?!\d)")


@relation(
    "fraction-size",
    title="dfrac or tfrac for frac",
    direction="invariant",
    defect="fraction-size-refused",
    on="latex",
)
def fraction_size(case: Case) -> Iterator[str]:
    if "\\frac" in case.answer:
        yield case.answer.replace("\\frac", "\\dfrac")
        yield case.answer.replace("\\frac", "\\tfrac")


@relation(
    "braceless-fraction",
    title="a fraction of single digits without braces",
    direction="invariant",
    defect="braceless-fraction-refused",
    on="latex",
)
def braceless_fraction(case: Case) -> Iterator[str]:
    changed = _ONE_DIGIT.sub(r"\\frac\1\2", case.answer)
    if changed != case.answer:
        yield changed


@relation(
    "half-braced-fraction",
    title="a fraction with braces around its denominator alone",
    direction="invariant",
    defect="half-braced-fraction-refused",
    on="latex",
)
def half_braced_fraction(case: Case) -> Iterator[str]:
    changed = re.sub(r"\\frac\{(\d)\}\{", r"\\frac\1{", case.answer)
    if changed != case.answer:
        yield changed


@relation(
    "slash-fraction",
    title="a slash for the fraction bar",
    direction="invariant",
    defect="slash-fraction-refused",
    on="latex",
)
def slash_fraction(case: Case) -> Iterator[str]:
    if match := _SIMPLE.fullmatch(case.answer):
        yield f"{match[1]}{match[2]}/{match[3]}"


@relation(
    "decimal-for-fraction",
    title="the exact decimal of a fraction",
    direction="invariant",
    defect="decimal-form-refused",
    on="latex",
)
def decimal_for_fraction(case: Case) -> Iterator[str]:
    if match := _SIMPLE.fullmatch(case.answer):
        value = Decimal(match[2]) / Decimal(match[3]) if int(match[3]) else None
        if value is not None and value * int(match[3]) == int(match[2]) and len(str(value)) <= 7:
            yield f"{match[1]}{value:f}"


@relation(
    "sign-in-numerator",
    title="the minus sign moved into the numerator",
    direction="invariant",
    defect="sign-in-numerator-refused",
    on="latex",
)
def sign_in_numerator(case: Case) -> Iterator[str]:
    if match := re.fullmatch(r"-\\frac\{([\w\\]+)\}\{(.+)\}", case.answer):
        yield rf"\frac{{-{match[1]}}}{{{match[2]}}}"


@relation(
    "inverted-fraction",
    title="the fraction turned over",
    direction="must-change",
    defect="inverted-fraction-paid",
    on="latex",
)
def inverted_fraction(case: Case) -> Iterator[str]:
    match = _SIMPLE.fullmatch(case.answer)
    if match and match[2] != match[3] and match[2] != "0":
        yield rf"{match[1]}\frac{{{match[3]}}}{{{match[2]}}}"
