"""Macros of one meaning."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lens.graders.relations import Case, relation

_SAME = (("\\le", "\\leq"), ("\\ge", "\\geq"), ("\\ne", "\\neq"), ("\\cdot", "\\times"), ("\\infty", "+\\infty"))


@relation(
    "macro-synonym",
    title="another macro of the same meaning",
    direction="invariant",
    defect="macro-synonym-refused",
    on="latex",
)
def macro_synonym(case: Case) -> Iterator[str]:
    for one, other in _SAME:
        for here, there in ((one, other), (other, one)):
            if re.search(rf"(?<![-+]){re.escape(here)}(?![a-zA-Z])", case.answer) and "+\\infty" not in case.answer:
                changed = re.sub(rf"(?<![-+]){re.escape(here)}(?![a-zA-Z])", there.replace("\\", "\\\\"), case.answer)
                if not re.search(r"[-+]\\infty.*\\infty", changed):
                    yield changed
                    break
