"""Two spellings of a percent sign."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "percent-spelling",
    title="the percent sign without its backslash",
    direction="invariant",
    defect="percent-spelling-refused",
    on="latex",
)
def percent_spelling(case: Case) -> Iterator[str]:
    if case.answer.endswith("\\%"):
        yield case.answer.replace("\\%", "%")
