"""Language checks: the same text with harmless additions, and text in another language."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, relation


@relation(
    "with-digits",
    title="a line of digits added",
    direction="invariant",
    defect="digits-change-language",
    on="language",
)
def with_digits(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"{case.answer}\n1, 2, 3.")


@relation(
    "half-another",
    title="the second half in another language",
    direction="must-change",
    defect="mixed-language-paid",
    on="language",
)
def half_another(case: Case) -> Iterator[Variant]:
    for other in case.wrong():
        if other:
            yield Variant(None, f"{case.answer}\n{other}\n{other}")
