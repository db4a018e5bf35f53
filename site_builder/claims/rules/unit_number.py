"""**EV026 unit-number**: a number beside a unit the store knows, unbacked, in a text that isn't strict.

Any text may hold numbers of its own. One that stands with a unit of the store (`n mutants`, `accuracy of x`) is
a measurement this store should back.

Mend it: stamp it (which makes the file strict), or waive it in `claims.toml` with a reason and an exact count.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV026", "unit-number", "a number beside a unit of the store, unbacked", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    if page.strict:
        return
    for numeral in page.naked():
        if unit := page.unit_of(numeral):
            message = f"{numeral.text} stands with {unit!r} and has no evidence behind it"
            yield page.seen(rule, numeral.start, numeral.end, message, page.find(numeral))
