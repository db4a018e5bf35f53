"""**EV007 conflicting-record**: the store holds live values that differ for one quantity of one subject.

Quoting one of them hides the other. A `supersedes` or a `differs` note on one record settles which stands and why.

Mend it: measure again so that one supersedes the other, or name what was varied so that they are two quantities.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV007", "conflicting-record", "a cited record is in conflict with another")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        for id_ in dict.fromkeys(cited.id for cited in answer.cited):
            if why := page.state.conflict(id_):
                yield page.at(rule, stamp.start, stamp.end, why, "a `supersedes` or a `differs` note settles it")
