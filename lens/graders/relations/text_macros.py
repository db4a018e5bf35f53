"""Text macros around a value."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "number-in-text-macro",
    title="the number inside a text macro",
    direction="invariant",
    defect="text-macro-number-refused",
    on="latex",
)
def number_in_text_macro(case: Case) -> Iterator[str]:
    if case.whole is not None and case.whole >= 0:
        yield rf"\text{{{case.answer}}}"


@relation(
    "word-without-text-macro",
    title="a word without its text macro, or in another one",
    direction="invariant",
    defect="text-macro-word-refused",
    on="latex",
)
def word_without_text_macro(case: Case) -> Iterator[str]:
    if match := re.fullmatch(r"\\text\{([A-Za-z ]+)\}", case.answer):
        yield match[1]
        yield rf"\textbf{{{match[1]}}}"
        yield rf"\mathrm{{{match[1]}}}"
    elif re.fullmatch(r"[A-Za-z]{2,}", case.answer):
        yield rf"\text{{{case.answer}}}"


@relation(
    "letter-case",
    title="a word in another letter case",
    direction="invariant",
    defect="letter-case-refused",
    on="words",
)
def letter_case(case: Case) -> Iterator[str]:
    for changed in (case.answer.lower(), case.answer.upper()):
        if changed != case.answer:
            yield changed
