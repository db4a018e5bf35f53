"""**EV004 stamp-differs**: the text shows something else than the store renders for that reference.

The comparison is byte for byte: a dropped sign, a swapped "k of n", percent for a fraction, a digit of another
script, markup inside the number all differ. There is no tolerance.

Mend it: `lens claims --write FILE` fills in what the store says; then read the sentence again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from site_builder.claims.answers import Answer
from site_builder.claims.finding import Finding
from site_builder.claims.page import Page
from site_builder.claims.rules import Rule, rule

_VALUE = re.compile(r"""\bvalue\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", re.IGNORECASE)


@rule("EV004", "stamp-differs", "the text differs from what the store renders")
def check(page: Page, rule: Rule) -> Iterator[Finding]:
    for stamp, answer in page.answers:
        if answer.error is None and stamp.shown != answer.expected:
            start, end = (stamp.shown_start, stamp.shown_end) if stamp.shown else (stamp.start, stamp.end)
            yield page.at(rule, start, end, _says(stamp.shown, answer), "lens claims --write fills it in")
        elif stamp.form == "data" and (value := _VALUE.search(page.document.text, stamp.start, stamp.shown_start)):
            held = unescape(value[1] or value[2] or value[3] or "")
            if answer.error is None and held != answer.machine:
                message = f"the machine value is {held!r}, the store has {answer.machine!r}"
                yield page.at(rule, *value.span(), message, f'value="{answer.machine}"')


def _says(shown: str, answer: Answer) -> str:
    """The difference, with the slip it looks like."""
    says = f"the store renders {answer.expected!r}, the text shows {shown!r}"
    slip = _slip(shown, answer.expected)
    return f"{says}: {slip}" if slip else says


def _slip(shown: str, expected: str) -> str:
    if not shown.strip():
        return "nothing is filled in"
    if not shown.isascii() and expected.isascii():
        return "it holds characters beyond ASCII"
    if shown == expected.lstrip("-+"):
        return "the sign is missing"
    if shown.split(" of ") == expected.split(" of ")[::-1]:
        return "k and n are swapped"
    if shown.replace(",", "") == expected.replace(",", ""):
        return "the thousands separator differs"
    if _hundredfold(shown, expected):
        return "percent and fraction are mixed up"
    return ""


def _hundredfold(shown: str, expected: str) -> bool:
    try:
        one, other = (float(text.replace(",", "").rstrip(" %")) for text in (shown, expected))
    except ValueError:
        return False
    return ("%" in shown) != ("%" in expected) or (other != 0 and abs(one / other) in (100.0, 0.01))
