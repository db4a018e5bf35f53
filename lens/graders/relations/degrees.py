"""Spellings of a degree sign."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "degree-spelling",
    title="the degree sign spelled another way",
    direction="invariant",
    defect="degree-spelling-refused",
    on="latex",
)
def degree_spelling(case: Case) -> Iterator[str]:
    if "^\\circ" in case.answer:
        yield case.answer.replace("^\\circ", "^{\\circ}")
        yield case.answer.replace("^\\circ", "°")
    elif "^{\\circ}" in case.answer:
        yield case.answer.replace("^{\\circ}", "^\\circ")


@relation(
    "degree-left-out",
    title="the degree sign left out",
    direction="invariant",
    defect="degree-left-out-refused",
    on="latex",
    policy=True,
)
def degree_left_out(case: Case) -> Iterator[str]:
    for sign in ("^\\circ", "^{\\circ}"):
        if case.answer.endswith(sign):
            yield case.answer.removesuffix(sign)
