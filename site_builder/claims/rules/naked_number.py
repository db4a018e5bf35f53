"""**EV020 naked-number**: a numeral in a strict text that no evidence backs.

Pages under `content/`, and any file that holds a stamp or declares `evidence: strict`, promise that every number is
looked up. Dates, versions, references, list numbers, standards and names are told apart; everything else counts.

Mend it: `lens evidence find NUMBER` names the record; cite it. A number that no record can hold is waived in
`claims.toml`, with a reason and an exact count.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV020", "naked-number", "a numeral in a strict text that no evidence backs", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    if not page.strict:
        return
    for numeral in page.naked():
        if page.place(numeral) in ("prose", "heading") and page.plainly(numeral):
            yield page.seen(
                rule, numeral.start, numeral.end, f"{numeral.text} has no evidence behind it", page.find(numeral)
            )
