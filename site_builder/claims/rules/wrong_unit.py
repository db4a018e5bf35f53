"""**EV012 wrong-unit**: the number is the store's, the thing it counts is not.

The word right after a stamp is a unit of the store, and the record counts something else: `k of n rollouts` of a
record that counts mutants.

Mend it: use the record's unit (`|unit` prints it), or cite the record that counts the thing you mean.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.claims.units import head
from site_builder.claims.visible import BACKED


@rule("EV012", "wrong-unit", "the word after a number is another unit than the record's")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    text = page.visible.text
    stamped = {stamp.start: (stamp, answer) for stamp, answer in page.answers}  # a figure's shows nothing in the text
    for at in (match.start() for match in re.finditer(BACKED, text)):
        start, _ = page.visible.source(at, at + 1)
        if start not in stamped:
            continue
        stamp, answer = stamped[start]
        unit = head(answer.unit) if answer.cited else ""
        said = page.units.direct(text, at + 1)
        if unit in page.units.counted and said and said != unit and not stamp.compares:
            message = f"{answer.cited[0].id} counts {answer.unit}, the text says {said}"
            yield page.seen(rule, at + 2, at + 2 + len(said) - 1, message, f"say {answer.unit}")
