"""**EV023 number-in-code**: a measurement set in code type.

Code may hold numbers of its own: options, literals, versions. A code span that is nothing but a number, or plain words
around one, is a measurement in another font; so is a number with a unit of the store after it, in any code.

Mend it: set it as text and back it with evidence.
"""

from __future__ import annotations

from collections.abc import Iterator

from site_builder.claims.code import is_bare, is_program, line_around, span_around
from site_builder.claims.finding import Finding
from site_builder.claims.numerals import Numeral
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule


@rule("EV023", "number-in-code", "a measurement set in code type, unbacked", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    text = page.visible.text
    for numeral in page.naked():
        place = page.place(numeral)
        if not page.strict or place not in ("code", "fence", "program"):
            continue
        end = text.find("\n", numeral.end)
        after = page.units.after.match(text, numeral.end, end if end >= 0 else len(text))
        before = place != "program" and page.units.before.search(text, max(0, numeral.start - 60), numeral.start)
        if after or before or _in_another_font(page, numeral, place):
            message = f"{numeral.text} in code has no evidence behind it"
            yield page.seen(rule, numeral.start, numeral.end, message, page.find(numeral))


def _in_another_font(page: Page, numeral: Numeral, place: str) -> bool:
    if place == "fence":
        return is_bare(line_around(page, numeral))
    return place == "code" and not is_program(span_around(page, numeral))
