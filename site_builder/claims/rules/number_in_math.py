"""**EV024 number-in-math**: a number set as a formula, with no evidence behind it.

A number between dollar signs prints like any other. Indices, powers of letters and the smallest whole numbers of a
formula are told apart.

Mend it: take the number out of the formula and stamp it; in LaTeX, `$\\ev{id:field}{x}$` works inside one.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV024", "number-in-math", "a number set as a formula, unbacked", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for numeral in page.naked():
        if page.strict and page.place(numeral) == "math":
            message = f"{numeral.text} in a formula has no evidence behind it"
            yield page.seen(rule, numeral.start, numeral.end, message, page.find(numeral))
