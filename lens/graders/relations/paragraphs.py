"""Paragraph counts: blank lines around a text are no paragraphs; a paragraph more or less, or another word, is."""

from __future__ import annotations

from collections.abc import Iterator

from lens.graders.items import Variant
from lens.graders.relations import Case, relation


@relation(
    "leading-blank",
    title="blank lines before the first paragraph",
    direction="invariant",
    defect="leading-blank-shifts-paragraphs",
    on="paragraphs",
)
def leading_blank(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"\n\n{case.answer}")


@relation(
    "trailing-blank",
    title="blank lines after the last paragraph",
    direction="invariant",
    defect="trailing-blank-counted",
    on="paragraphs",
)
def trailing_blank(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"{case.answer}\n\n")


@relation(
    "quoted-word",
    title="quotation marks before the first word",
    direction="invariant",
    defect="word-quotes-refused",
    on="paragraphs",
)
def quoted_word(case: Case) -> Iterator[Variant]:
    parts = case.answer.split("\n\n")
    place = case.item.gold["nth_paragraph"] - 1
    first, _, rest = parts[place].partition(" ")
    parts[place] = f'"{first}" {rest}'
    yield Variant(None, "\n\n".join(parts))


@relation(
    "other-first-word",
    title="another word at the start of the paragraph",
    direction="must-change",
    defect="other-first-word-paid",
    on="paragraphs",
)
def other_first_word(case: Case) -> Iterator[Variant]:
    parts = case.answer.split("\n\n")
    place = case.item.gold["nth_paragraph"] - 1
    parts[place] = f"Elsewhere {parts[place]}"
    yield Variant(None, "\n\n".join(parts))


@relation(
    "paragraph-more",
    title="one paragraph more",
    direction="must-change",
    defect="paragraph-count-ignored",
    on="paragraphs",
)
def paragraph_more(case: Case) -> Iterator[Variant]:
    yield Variant(None, f"{case.answer}\n\nOne more stands here.")
