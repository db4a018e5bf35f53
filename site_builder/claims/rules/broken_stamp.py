"""**EV009 broken-stamp**: something looks like a stamp and is not one.

An opening without its end, an end without its beginning, a stamp inside a stamp, a link whose text holds markup: a
reader of the source takes the number for checked, and nothing would check it.

Mend it: `<!--ev id#field|fmt-->0<!--/ev-->`, `[0 of 60](ev:id#field)` or `\\ev{id:field|fmt}{0}`, then
`lens claims --write`.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV009", "broken-stamp", "something looks like a stamp and is not one")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for broken in page.broken:
        yield page.at(rule, broken.start, broken.end, broken.why, broken.hint)
