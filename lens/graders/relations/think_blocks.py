"""Think blocks: openings a chat template supplies, and blocks that are broken."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, relation


@relation(
    "prefilled-opening",
    title="the opening tag supplied by the chat template, so that the response starts inside the block",
    direction="invariant",
    defect="prefilled-opening-refused",
    on="think",
)
def prefilled_opening(case: Case) -> Iterator[Variant]:
    yield Variant(None, case.answer.removeprefix("<think>").lstrip("\n"))


@relation(
    "block-on-one-line",
    title="the block without line breaks",
    direction="invariant",
    defect="one-line-block-refused",
    on="think",
)
def block_on_one_line(case: Case) -> Iterator[Variant]:
    yield Variant(None, case.answer.replace("\n", " "))


@relation(
    "line-break-first",
    title="a line break before the block",
    direction="invariant",
    defect="line-break-before-block-refused",
    on="think",
)
def line_break_first(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"\n{case.answer}")


@relation(
    "unclosed-block",
    title="a block never closed",
    direction="must-change",
    defect="unclosed-block-paid",
    on="think",
)
def unclosed_block(case: Case) -> Iterator[Variant]:
    yield Variant(None, case.answer.replace("</think>", ""))


@relation(
    "second-opening",
    title="a second opening tag",
    direction="must-change",
    defect="second-block-paid",
    on="think",
)
def second_opening(case: Case) -> Iterator[Variant]:
    yield Variant(None, case.answer.replace("</think>", "<think> once more </think>", 1))


@relation(
    "no-block",
    title="no block at all",
    direction="must-change",
    defect="missing-block-paid",
    on="think",
)
def no_block(case: Case) -> Iterator[Variant]:
    yield Variant(None, case.answer.rsplit("</think>", 1)[-1].strip())
