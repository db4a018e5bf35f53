"""**EV006 stale-record**: what the record was measured from has changed since.

The instrument's version, or the content of an input on this machine, is not the one the record names. The number
was true of something that is no longer there.

Mend it: `lens measure --stale` measures just the stale records again; then `lens claims --write`.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV006", "stale-record", "a cited record is stale")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        for id_ in dict.fromkeys(cited.id for cited in answer.cited):
            if why := page.state.stale(id_):
                yield page.at(rule, stamp.start, stamp.end, f"{id_} is stale: {why}", "lens measure --stale")
