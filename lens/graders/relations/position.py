"""Where the marked answer stands: text after it, or a long way before it, changes nothing about it."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import ROOM, Case, relation

_AFTER = "Putting it back into the conditions shows that each of them holds. "
_BEFORE = "First restate what is known, then combine it one step at a time. "
_LENGTHS = (1, 3, 8, 20)  # sentences


@relation(
    "trailing-text",
    title="sentences after the marked answer",
    direction="invariant",
    defect="position-sensitive",
    on="number latex words",
    families=ROOM,
)
def trailing_text(case: Case) -> Iterator[Variant]:
    for count in _LENGTHS:
        yield Variant(case.answer, f"{case.shape.render(case.answer)}\n{(_AFTER * count).strip()}")


@relation(
    "leading-text",
    title="long reasoning before the marked answer",
    direction="invariant",
    defect="leading-text-refused",
    on="number latex words",
    families=ROOM,
)
def leading_text(case: Case) -> Iterator[Variant]:
    for count in _LENGTHS:
        yield Variant(case.answer, f"{(_BEFORE * count).strip()}\n{case.shape.render(case.answer)}")
