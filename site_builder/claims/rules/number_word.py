"""**EV021 number-word**: a quantity in words that no evidence backs.

`five mutants`, `ninety-three percent`, `most of the rollouts`, `more than half`, `none of the pairs` claim as much as
digits do. Words count before a unit of the store, and in phrases that compare or total.

Mend it: back the words by a condition, ``{claim}`more than half|id#field > 0.5` `` on a page and
`<!--ev id#field > 0.5-->more than half<!--/ev-->` elsewhere; or print the number (`|word` spells it out).
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.claims.words import quantities


@rule("EV021", "number-word", "a quantity in words that no evidence backs", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    text = page.visible.text
    for start, end in quantities(text, page.units, page.strict):
        if page.visible.kind(start) in ("prose", "heading", "attribute") and not page.glued(start, end):
            words = " ".join(text[start:end].split())
            yield page.seen(rule, start, end, f"{words!r} has no evidence behind it", "back it by a condition")
