"""Grouping of digits: separators in the right places are spelling, in wrong ones a different or broken number."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "thousands-separator",
    title="thousands separators",
    direction="invariant",
    defect="thousands-separator-refused",
    on="number",
)
def thousands_separator(case: Case) -> Iterator[str]:
    if case.whole is not None and abs(case.whole) >= 1000:
        yield f"{case.whole:,}"


@relation(
    "latex-thousands",
    title="thousands separators as LaTeX spaces them",
    direction="invariant",
    defect="latex-thousands-refused",
    on="latex",
)
def latex_thousands(case: Case) -> Iterator[str]:
    if case.whole is not None and abs(case.whole) >= 1000:
        yield f"{case.whole:,}".replace(",", "{,}")
        yield f"{case.whole:,}".replace(",", ",\\!")


@relation(
    "malformed-grouping",
    title="a comma where no group of digits ends",
    direction="must-change",
    defect="malformed-grouping-paid",
    on="number",
)
def malformed_grouping(case: Case) -> Iterator[str]:
    """`3,6` is two numbers or a decimal comma, never thirty-six."""
    if case.whole is not None and abs(case.whole) >= 10:
        digits = str(case.whole)
        yield f"{digits[:-1]},{digits[-1]}"
