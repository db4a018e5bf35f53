"""**EV022 disguised-number**: a numeral that the source spells so that a search would miss it.

Digits of another script, full-width or superscript digits, vulgar fractions, entities, markup or invisible characters
inside the number, letters that look like digits: readers see a number, plain checks see none.

Mend it: write it in ASCII digits, then back it with evidence.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV022", "disguised-number", "a numeral spelled so that a search would miss it")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for numeral in page.naked():
        if page.strict and page.place(numeral) in ("prose", "heading") and not page.plainly(numeral):
            spelled = page.spelling(numeral.start, numeral.end)
            message = f"{spelled!r} reads {numeral.text} and has no evidence behind it"
            yield page.seen(rule, numeral.start, numeral.end, message, "write it in plain digits and back it")
