"""**EV002 unknown-field**: the record is there, the field is not.

Mend it: `lens evidence show ID` lists the fields of a record; the message names the nearest.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.lookup import UnknownField


@rule("EV002", "unknown-field", "the record has no field of that name")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        if isinstance(answer.error, UnknownField):
            yield page.at(rule, stamp.start, stamp.end, answer.error.message, answer.error.remedy)
