"""**EV003 bad-reference**: the reference can't be read, or asks for a print the field does not allow.

A reference is `kind/subject/instrument#field|format`. There is no tolerance to set: words after the format
(`tol=99`) make it unreadable. A format fails where it says more than was measured: percent of a plain count,
more than two digits of the interval's half-width.

Mend it: the message says what fits; the default format (leave it out) always does.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.lookup import BadReference, NumberError


@rule("EV003", "bad-reference", "a reference can't be read, or its format does not fit the field")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        if isinstance(answer.error, BadReference | NumberError):
            yield page.at(rule, stamp.start, stamp.end, answer.error.message, answer.error.remedy)
