"""White space around and inside an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "outer-space",
    title="spaces around the answer",
    direction="invariant",
    defect="outer-space-refused",
    on="number latex words",
)
def outer_space(case: Case) -> Iterator[str]:
    yield f" {case.answer} "


@relation(
    "line-break",
    title="a line break after the answer",
    direction="invariant",
    defect="line-break-refused",
    on="number latex words",
)
def line_break(case: Case) -> Iterator[str]:
    yield f"{case.answer}\n"


@relation(
    "operator-space",
    title="spaces around signs and commas added or left out",
    direction="invariant",
    defect="operator-space-refused",
    on="latex",
)
def operator_space(case: Case) -> Iterator[str]:
    """Never inside macros with words, where spaces carry meaning, around backslashes or between groups of digits."""
    if re.search(r"\\(text|mbox| |\\)|\d,(\\!)? ?\d{3}", case.answer):
        return
    for changed in (
        re.sub(r"(?<=[\w})]) *([+=,]) *(?=[\w\\{(-])", r" \1 ", case.answer),
        re.sub(r" *([+=,]) *", r"\1", case.answer),
    ):
        if changed != case.answer:
            yield changed


@relation(
    "thin-space",
    title="a thin space or its negative between two factors",
    direction="invariant",
    defect="thin-space-refused",
    on="latex",
)
def thin_space(case: Case) -> Iterator[str]:
    """Typographic spacing: `2\\!\\pi`, `(1,\\,2)`."""
    if re.search(r"\d\\(pi|sqrt)", case.answer):
        yield re.sub(r"(\d)(\\(?:pi|sqrt))", r"\1\\!\2", case.answer, count=1)
    if ", " in case.answer and "\\text" not in case.answer:
        yield case.answer.replace(", ", ",\\,")


@relation(
    "repeated-space",
    title="a double space between words",
    direction="invariant",
    defect="repeated-space-refused",
    on="words",
)
def repeated_space(case: Case) -> Iterator[str]:
    if " " in case.answer:
        yield case.answer.replace(" ", "  ", 1)
