"""Completions that do the same, and completions that don't."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, relation


@relation(
    "comment-line",
    title="a comment line added",
    direction="invariant",
    defect="comment-refused",
    on="code",
)
def comment_line(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"    # step by step\n{case.item.answer}")


@relation(
    "blank-lines",
    title="blank lines after the body",
    direction="invariant",
    defect="blank-lines-refused",
    on="code",
)
def blank_lines(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"{case.item.answer}\n\n\n")


@relation(
    "helper-after",
    title="an unused function after the body",
    direction="invariant",
    defect="extra-function-refused",
    on="code",
)
def helper_after(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"{case.item.answer}\n\n\ndef spare():\n    return 0\n")


@relation(
    "returns-nothing",
    title="a body that returns nothing",
    direction="must-change",
    defect="unrun-tests-paid",
    on="code",
)
def returns_nothing(_case: Case) -> Iterator[Variant]:
    yield Variant(None, "    return None\n")


@relation(
    "raises-at-once",
    title="a body that raises",
    direction="must-change",
    defect="unrun-tests-paid",
    on="code",
)
def raises_at_once(_case: Case) -> Iterator[Variant]:
    yield Variant(None, "    raise ValueError\n")
