"""Digits: other scripts are spelling of a kind, other digits another number."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, relation

_WIDE = str.maketrans("0123456789", "０１２３４５６７８９")
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


@relation(
    "wide-digits",
    title="full-width digits",
    direction="invariant",
    defect="wide-digits-refused",
    on="number",
    policy=True,
)
def wide_digits(case: Case) -> Iterator[str]:
    if case.whole is not None:
        yield case.answer.translate(_WIDE)


@relation(
    "raised-digit",
    title="a last digit raised to an exponent",
    direction="must-change",
    defect="raised-digit-paid",
    on="number",
)
def raised_digit(case: Case) -> Iterator[str]:
    """Software that asks `str.isdigit` takes `3⁶` for 36."""
    if case.whole is not None and abs(case.whole) >= 10:
        yield case.answer[:-1] + case.answer[-1].translate(_RAISED)


@relation(
    "other-number",
    title="a neighbouring number",
    direction="must-change",
    defect="other-number-paid",
    on="number",
)
def other_number(case: Case) -> Iterator[str]:
    if case.whole is not None:
        yield str(case.whole + 1)
        yield f"{case.whole}0" if case.whole else "10"
        if abs(case.whole) >= 10:
            yield str(case.whole)[:-1]


@relation(
    "other-digit",
    title="one digit of the answer changed",
    direction="must-change",
    defect="other-digit-paid",
    on="latex",
)
def other_digit(case: Case) -> Iterator[str]:
    places = [place for place, letter in enumerate(case.answer) if letter in "123456789"]
    if places and case.whole is None and "\\mbox" not in case.answer:
        place = case.random.choice(places)
        digit = str(int(case.answer[place]) % 9 + 1)
        yield case.answer[:place] + digit + case.answer[place + 1 :]
