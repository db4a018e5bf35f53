"""Countdown expressions: the same arithmetic written another way, and expressions that miss the target or the rules."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, relation


def _numbers(case: Case) -> list[int]:
    return list(case.item.gold["numbers"])


@relation(
    "operator-spaces",
    title="no spaces, or two, around the signs",
    direction="invariant",
    defect="operator-space-refused",
    on="countdown",
)
def operator_spaces(case: Case) -> Iterator[str]:
    yield case.answer.replace(" ", "")
    yield re.sub(r"([-+*/])", r" \1 ", case.answer)


@relation(
    "outer-brackets",
    title="brackets around the whole expression",
    direction="invariant",
    defect="outer-brackets-refused",
    on="countdown",
)
def outer_brackets(case: Case) -> Iterator[str]:
    yield f"({case.answer})"


@relation(
    "equals-target",
    title="the expression followed by an equals sign and the target",
    direction="invariant",
    defect="equation-for-expression-refused",
    on="countdown",
    policy=True,
)
def equals_target(case: Case) -> Iterator[str]:
    yield f"{case.answer} = {case.item.gold['target']}"


@relation(
    "times-sign",
    title="the typographic times sign",
    direction="invariant",
    defect="times-sign-refused",
    on="countdown",
    policy=True,
)
def times_sign(case: Case) -> Iterator[str]:
    if "*" in case.answer:
        yield case.answer.replace("*", "×")


@relation(
    "missed-target",
    title="the given numbers, but another value",
    direction="must-change",
    defect="missed-target-paid",
    on="countdown",
)
def missed_target(case: Case) -> Iterator[str]:
    target = case.item.gold["target"]
    for sign in ("+", "-", "*"):
        if eval_plain(text := f" {sign} ".join(str(number) for number in _numbers(case))) != target:
            yield text


@relation(
    "number-left-out",
    title="one of the numbers left out",
    direction="must-change",
    defect="unused-number-paid",
    on="countdown",
)
def number_left_out(case: Case) -> Iterator[str]:
    yield " + ".join(str(number) for number in _numbers(case)[1:])


def eval_plain(text: str) -> float:
    """The value of `a + b + c`, `a - b - c` or `a * b * c`, whole numbers only."""
    numbers = [int(part) for part in re.findall(r"\d+", text)]
    value = numbers[0]
    for number in numbers[1:]:
        value = value + number if "+" in text else value - number if "-" in text else value * number
    return value
