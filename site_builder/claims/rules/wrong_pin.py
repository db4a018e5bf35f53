"""**EV008 wrong-pin**: the stamp pins a measurement by digest, and the live record is another one.

A pin (`id@digest#field`) says that the sentence is about this measurement and no later one. A pin of fewer than
eight characters pins nothing.

Mend it: read the new value, decide whether the sentence still holds, and pin the new digest (or drop the pin).
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule

_SHORTEST = 8


@rule("EV008", "wrong-pin", "the live record is not the pinned measurement")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        for cited in answer.cited if stamp.pin else ():
            digest = cited.record.digest
            if len(stamp.pin) < _SHORTEST or not digest.startswith(stamp.pin):
                message = f"pinned to {stamp.pin}, but {cited.id} is {digest[:12]}"
                yield page.at(rule, stamp.start, stamp.end, message, f"lens evidence history {cited.id}")
