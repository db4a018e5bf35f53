"""**EV005 declined-value**: the field was declined, so no number may stand for it.

A decline is a reason, not a zero. Whatever is printed in its place (a nought, n/a, an older value) was not measured.

Mend it: say that it was declined and why, or run the remedy the record names and cite what that measures.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.lookup import DeclinedCited


@rule("EV005", "declined-value", "the cited field was declined: there is no number to print")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        if isinstance(answer.error, DeclinedCited):
            yield page.at(rule, stamp.start, stamp.end, answer.error.message, answer.error.remedy)
