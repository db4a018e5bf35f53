"""**EV010 glued-stamp**: what touches a stamp changes the number it backs.

A digit before a stamp makes its number another one, and so do a minus, a percent sign, an exponent, a scale word, a
second stamp, or `all but`.

Mend it: let the format print the sign or the percent (`|pct1`), and keep digits and scale words away from stamps.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV010", "glued-stamp", "what touches a stamp changes the number it backs")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for start, end in page.glue:
        what = page.visible.text[start:end].strip().replace("\ufffc", "another stamp")
        message = f"{what!r} beside a stamp changes its number"
        yield page.seen(rule, start, end, message, "let the stamp's format print it, or move it away")
