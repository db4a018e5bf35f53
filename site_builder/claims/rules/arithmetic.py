"""**EV027 arithmetic**: a sum, a quotient or a percentage printed in a foreign text that does not come out.

Numbers that aren't ours can still be held against each other: `k of n (p %)`, `a / b = c`. A
printed decimal stands for half a unit of its last digit either way, a counting integer is exact, and the claim holds
where the result's interval meets the printed one.

Mend it: work it out again. If it is right as it stands, an operand is printed with too few digits.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from site_builder.claims import intervals
from site_builder.claims.finding import Finding
from site_builder.claims.intervals import Ends
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule

_NUMBER = r"[-−]?(?:[0-9][0-9,]*)?\.?[0-9]+(?:[eE][-+]?[0-9]+)?"
_WORKED: dict[str, Callable[[Ends, Ends], Ends | None]] = {
    **dict.fromkeys(("/", "over", "of", "out of"), intervals.divided),
    **dict.fromkeys(("*", "×", "times"), intervals.multiplied),
    **dict.fromkeys(("+", "plus"), intervals.added),
    **dict.fromkeys(("-", "−", "minus"), intervals.subtracted),
}


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    """`a / b = c`, and a "k of n" with its percentage."""
    return (
        re.compile(
            rf"(?<![\w.,/=+*×-])(?P<left>{_NUMBER}(?: ?%)?) ?(?P<sign>[-−+*×/]|over|times|plus|minus) ?"
            rf"(?P<right>{_NUMBER}(?: ?%)?) ?(?P<equals>=|≈|→|->|~|≃) ?(?P<result>{_NUMBER}(?: ?%)?)"
            r"(?![\w,]*[0-9])(?! ?[-−+*×/])"
        ),
        re.compile(
            r"(?<![\w.,])(?P<left>[0-9][0-9,]*)(?P<sign> of | out of | ?/ ?)(?:the )?(?P<right>[0-9][0-9,]*)"
            r"(?: [a-z-]+){0,3}(?: ?\(|, or | or |, i\.e\. )(?P<equals>≈|~|about )?"
            rf"(?P<result>{_NUMBER} ?%|0?\.[0-9]+)(?![\w]*[0-9])"
        ),
    )


@rule("EV027", "arithmetic", "printed arithmetic that does not come out", waivable=True)
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    if page.strict:
        return
    for pattern in _patterns():
        for match in pattern.finditer(page.visible.text):
            if page.visible.kind(match.start()) in ("program", "fence"):
                continue
            worked = _WORKED[match["sign"].strip()](intervals.printed(match["left"]), intervals.printed(match["right"]))
            about = match["equals"] not in (None, "=")
            result = intervals.printed(match["result"], rounded=about)
            if worked is not None and not intervals.meets(worked, result):
                yield page.seen(rule, *match.span("result"), _says(match["result"], worked), "work it out again")


def _says(result: str, worked: Ends) -> str:
    percent = result.rstrip().endswith("%")
    shown = tuple(end * 100 for end in worked) if percent else worked
    places = len(result.rstrip(" %").partition(".")[2]) + 2
    low, high = intervals.outward((shown[0], shown[1]), min(places, 9))
    return f"{result} is printed, the operands give {low} to {high}{' %' if percent else ''}"
