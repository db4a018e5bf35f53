"""**EV028 list-number**: a list's number that is no numbering.

Markdown prints the number a list starts with: a line that begins `n. mutants were killed` shows n. A marker
counts as numbering when it goes on from the one before, or starts a list at zero or one.

Mend it: start the list at one, or write the number in a sentence and back it.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV028", "list-number", "a list's number that is no numbering", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for numeral in page.naked():
        if page.strict and page.place(numeral) == "marker":
            message = f"the list number {numeral.text} doesn't follow on"
            yield page.seen(rule, numeral.start, numeral.end, message, "start lists at 1")
