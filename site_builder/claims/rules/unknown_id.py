"""**EV001 unknown-id**: the reference names evidence that does not exist.

A number can't be checked against a record that isn't there, so it counts as unbacked. The likely cause is a
typing slip or a record that was renamed; the message names the nearest ids.

Mend it: take an id from `lens evidence ls`, or find the record that holds the number with
`lens evidence find NUMBER`.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.lookup import UnknownId


@rule("EV001", "unknown-id", "a reference names a record the store does not have")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        if isinstance(answer.error, UnknownId):
            yield page.at(rule, stamp.start, stamp.end, answer.error.message, answer.error.remedy)
