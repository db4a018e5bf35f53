"""**EV025 number-in-attribute**: a number that is read, heard or previewed, though not printed in the text.

Alternative texts, titles, labels for screen readers, page descriptions, front matter and text a style sheet prints all
reach somebody.

Mend it: leave the number out of it (the text beside it holds it), or have a template look it up.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV025", "number-in-attribute", "a number in alternative text, a title or metadata, unbacked", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for numeral in page.naked():
        if page.strict and page.place(numeral) == "attribute":
            message = f"{numeral.text} in an attribute has no evidence behind it"
            yield page.seen(rule, numeral.start, numeral.end, message, page.find(numeral))
