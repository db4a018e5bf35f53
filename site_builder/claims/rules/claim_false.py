"""**EV011 claim-false**: words are backed by a condition, and the store says otherwise.

Two things are held together: the condition must hold for the stored value (`id#field > 0.5`), and the words must
say no more than the value gives: `more than half` needs a larger share, `none of` a zero, `all` the whole, whatever
the condition beside them.

Mend it: change the words, or cite the field that does carry them.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.meaning import contradicts
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.lookup import ClaimFalse


@rule("EV011", "claim-false", "the condition behind words does not hold")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        if isinstance(answer.error, ClaimFalse):
            yield page.at(rule, stamp.start, stamp.end, answer.error.message, "say what the store says")
        elif stamp.compares and answer.error is None and (why := contradicts(stamp, answer)):
            yield page.at(
                rule, stamp.start, stamp.end, why, "the words must follow from the value, not from the condition"
            )
