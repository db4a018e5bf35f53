"""Whether a code span is code, or a measurement in another font."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from site_builder.claims.numerals import Numeral
    from site_builder.claims.page import Page

_SHAPE = re.compile(r"[(){}\[\]<>=\\_;@#$|\"']|::|\B--?[A-Za-z]|\w/\w|[A-Za-z][\w-]*:\S|\A\.{0,2}/|[A-Za-z_]\w*\.\w")
_COMMAND = re.compile(
    r"\A[$>]?\s*(?:sudo|python3?|lens|git|pip3?|uv|make|npm|npx|docker|cd|ls|cat|head|tail|grep|curl|pytest|conda|"
    r"export|ray|sleep|kill|seq|chmod|ssh|torchrun) "
)
_EXPONENT = re.compile(r"(?<=[\d.])[eE](?=[-+\d])")


def is_program(span: str) -> bool:
    """Code shows its shape: brackets, an assignment, an option, a path, a command. A bare number has none."""
    return not is_bare(span) and bool(_SHAPE.search(span) or _COMMAND.match(span.strip()))


def is_bare(text: str) -> bool:
    """Whether a text holds no letters: a number, a list of them, arithmetic."""
    return not any(map(str.isalpha, _EXPONENT.sub("", text)))


def line_around(page: Page, numeral: Numeral) -> str:
    """The visible line a numeral stands in."""
    text = page.visible.text
    end = text.find("\n", numeral.end)
    return text[text.rfind("\n", 0, numeral.start) + 1 : end if end >= 0 else len(text)]


def span_around(page: Page, numeral: Numeral) -> str:
    """The text of the code span a numeral stands in."""
    for start, end, _ in page.visible.pieces("code"):
        if start <= numeral.start < end:
            return page.visible.text[start:end].strip()
    return ""
