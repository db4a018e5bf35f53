"""Zeros that carry no value."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "trailing-zeros",
    title="zeros after the decimal point",
    direction="invariant",
    defect="trailing-zeros-refused",
    on="number",
)
def trailing_zeros(case: Case) -> Iterator[str]:
    if case.whole is not None:
        yield f"{case.answer}.0"
        yield f"{case.answer}.00"
    elif case.number is not None:
        yield f"{case.answer}0"


@relation(
    "leading-zeros",
    title="a zero before the number",
    direction="invariant",
    defect="leading-zeros-refused",
    on="number",
)
def leading_zeros(case: Case) -> Iterator[str]:
    if case.whole is not None and case.whole > 0:
        yield f"0{case.answer}"


@relation(
    "bare-decimal-point",
    title="a decimal without the zero before its point",
    direction="invariant",
    defect="bare-decimal-point-refused",
    on="number",
)
def bare_decimal_point(case: Case) -> Iterator[str]:
    if case.number is not None and case.answer.startswith("0."):
        yield case.answer[1:]
