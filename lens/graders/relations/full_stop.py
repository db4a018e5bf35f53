"""A sentence's full stop after the answer."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "full-stop",
    title="a full stop after the answer",
    direction="invariant",
    defect="full-stop-refused",
    on="number latex words",
)
def full_stop(case: Case) -> Iterator[str]:
    if not case.answer.endswith("."):
        yield f"{case.answer}."
