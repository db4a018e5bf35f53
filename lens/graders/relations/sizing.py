"""Bracket sizes are typography."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, relation


@relation(
    "bracket-size",
    title="left and right before brackets, or taken away",
    direction="invariant",
    defect="bracket-size-refused",
    on="latex",
)
def bracket_size(case: Case) -> Iterator[str]:
    if "\\left" in case.answer:
        yield re.sub(r"\\(left|right)(?=[(\[\])|])\s*", "", case.answer)
    elif re.fullmatch(r"[(\[][^()\[\]]*[)\]]", case.answer):
        yield rf"\left{case.answer[:-1]}\right{case.answer[-1]}"
