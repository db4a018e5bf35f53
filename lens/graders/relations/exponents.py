"""Braces around an exponent or an index of one digit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "exponent-braces",
    title="braces around a one-digit exponent or index",
    direction="invariant",
    defect="exponent-braces-refused",
    on="latex",
)
def exponent_braces(case: Case) -> Iterator[str]:
    if re.search(r"[\^_]\d(?!\d)", case.answer):
        yield re.sub(r"([\^_])(\d)(?!\d)", r"\1{\2}", case.answer)
    elif re.search(r"[\^_]\{\d\}", case.answer):
        yield re.sub(r"([\^_])\{(\d)\}", r"\1\2", case.answer)


@relation(
    "dropped-exponent",
    title="the exponent left out",
    direction="must-change",
    defect="dropped-exponent-paid",
    on="latex",
)
def dropped_exponent(case: Case) -> Iterator[str]:
    changed = re.sub(r"\^(\d|\{\d+\})", "", case.answer, count=1)
    if changed != case.answer and not re.search(r"\^1|\\text|\\mbox", case.answer):
        yield changed
