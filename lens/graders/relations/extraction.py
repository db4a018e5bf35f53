"""A box taken out of a text: what stands around it changes nothing about what stands in it."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, relation


@relation(
    "box-mentioned",
    title="the box macro named in the text before it is used",
    direction="invariant",
    defect="macro-mention-hijacks",
    on="extraction",
)
def box_mentioned(case: Case) -> Iterator[Variant]:
    macro = "\\fbox" if "\\fbox" in case.shape.before else "\\boxed"
    yield Variant(case.answer, f"As told, {macro} comes around the final value.\n{case.shape.render(case.answer)}")


@relation(
    "box-then-text",
    title="a sentence after the box",
    direction="invariant",
    defect="position-sensitive",
    on="extraction",
)
def box_then_text(case: Case) -> Iterator[Variant]:
    yield Variant(case.answer, f"{case.shape.render(case.answer)}\nThat settles it.")


@relation(
    "earlier-box",
    title="another box earlier in the text",
    direction="invariant",
    defect="first-box-taken",
    on="extraction",
)
def earlier_box(case: Case) -> Iterator[Variant]:
    for other in case.wrong():
        yield Variant(case.answer, f"A first try gave {case.shape.mark(other)}.\n{case.shape.render(case.answer)}")


@relation(
    "unclosed-box",
    title="a box that is never closed after the answer's",
    direction="invariant",
    defect="unclosed-box-taken",
    on="extraction",
)
def unclosed_box(case: Case) -> Iterator[Variant]:
    yield Variant(case.answer, f"{case.shape.render(case.answer)}\nCheck: {case.shape.before}")


@relation(
    "box-of-another",
    title="another value in the box",
    direction="must-change",
    defect="other-box-taken",
    on="extraction",
)
def box_of_another(case: Case) -> Iterator[Variant]:
    yield from (Variant(other) for other in case.wrong())
