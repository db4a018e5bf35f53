"""The marking around the answer: said twice, in bold, announced by name, or after other marked text."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import ROOM, Case, relation


@relation(
    "said-twice",
    title="the same marked answer given twice",
    direction="invariant",
    defect="restatement-refused",
    on="number latex words",
    families=ROOM,
)
def said_twice(case: Case) -> Iterator[Variant]:
    once = case.shape.mark(case.answer)
    yield Variant(case.answer, f"It comes to {once}\nTo say it once more:\n\n{case.shape.render(case.answer)}")


@relation(
    "bold-answer",
    title="the answer in bold type",
    direction="invariant",
    defect="bold-answer-refused",
    on="number words",
    families=("line", "tag"),
)
def bold_answer(case: Case) -> Iterator[Variant]:
    yield Variant(case.answer, case.shape.render(f"**{case.answer}**"))


@relation(
    "macro-mentioned",
    title="the box macro named in a sentence before it is used",
    direction="invariant",
    defect="macro-mention-hijacks",
    on="number latex",
    families=("box",),
)
def macro_mentioned(case: Case) -> Iterator[Variant]:
    macro = case.shape.before.split("\\", 1)[-1].removesuffix("{").split("\\")[-1]
    yield Variant(case.answer, f"As told, \\{macro} comes around the final value.\n{case.shape.render(case.answer)}")


@relation(
    "dollars-before",
    title="other mathematics between dollar signs before the answer",
    direction="invariant",
    defect="dollar-spans-glued",
    on="number latex",
    families=("dollars",),
)
def dollars_before(case: Case) -> Iterator[Variant]:
    yield Variant(case.answer, f"Call the first part $u$ and the second part $v$.\n{case.shape.render(case.answer)}")


@relation(
    "inside-display",
    title="the box inside display mathematics",
    direction="invariant",
    defect="box-in-display-refused",
    on="number latex",
    families=("box",),
)
def inside_display(case: Case) -> Iterator[Variant]:
    if not case.shape.before.startswith("\\["):
        yield Variant(case.answer, f"{case.shape.lead.rstrip()}\n\\[ {case.shape.mark(case.answer)} \\]")
        yield Variant(case.answer, f"{case.shape.lead.rstrip()}\n$${case.shape.mark(case.answer)}$$")
