"""**EV010 glued-stamp**: what touches a stamp changes the number it backs.

`1<!--ev ...-->5<!--/ev-->` reads 15, and a minus, a percent sign, an exponent, "million" or a second stamp beside a
right number make it a wrong one just as well.

Mend it: let the format print the sign or the percent (`|pct1`), and keep digits and scale words away from stamps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule
from site_builder.claims.visible import BACKED, OTHER

_BEFORE = re.compile(
    rf"(?:[0-9{OTHER}]+[.,'’/:×x*^ -]?|(?<![A-Za-z0-9])[.]|(?<![\w)])[-+−±–~≈<>≤≥]\s?|[$€£#]|{BACKED}[.,'’/^]?|"
    rf"\b(?:minus|negative|less than|more than|fewer than|over|under|at least|at most|up to|nearly|almost|below|above|not|times)\s)\Z",
    re.IGNORECASE,
)
_AFTER = re.compile(
    rf"[0-9{OTHER}]|[.,'’:/^×*–-][0-9{OTHER}{BACKED}]|[ \n]?[%‰]|[ \n-]?(?:percent|per cent|percentage|pp|bps)\b|"
    rf"[eE][-+−]?[0-9]|[ \n]?[×x*·][ \n]?(?:10|[0-9])|[ \n-]?(?:k|K|M|bn|thousands?|millions?|billions?|hundreds?|dozens?|"
    rf"(?:and )?a half|or (?:more|fewer|less)|fold)\b|[+^]|{OTHER}",
)


@rule("EV010", "glued-stamp", "what touches a stamp changes the number it backs")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    text = page.visible.text
    for match in re.finditer(BACKED, text):
        at = match.start()
        before = _BEFORE.search(text, max(0, at - 24), at)
        after = _AFTER.match(text, match.end())
        if before and not _is_word(text, before):
            yield page.seen(rule, before.start(), at, f"{before[0].strip()!r} before a stamp changes its number", _HINT)
        elif after:
            yield page.seen(
                rule, after.start(), after.end(), f"{after[0].strip()!r} after a stamp changes its number", _HINT
            )


_HINT = "let the stamp's format print it, or move it away"


def _is_word(text: str, before: re.Match[str]) -> bool:
    """A hyphenated word or a bulleted item before a stamp is no sign."""
    return before[0].isspace() or (before[0] == "- " and text[before.start() - 1 : before.start()] in ("", "\n"))
