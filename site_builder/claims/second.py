"""A second reader: the document rendered and parsed as a browser would, to see what the first one left out.

`syntax` reads sources with a way back to every character and leaves out comments, link targets and the like. Where it
leaves out a digit that the rendered page shows, the two disagree about what hides, and that number must not pass.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from site_builder.claims.visible import BACKED, plain

if TYPE_CHECKING:
    from site_builder.claims.page import Page

_DIGIT = re.compile(r"[0-9]")
_RUN = re.compile(r"[0-9]+")
_LABEL = re.compile(r"\[\^[^\]\s]+\]:?")
_FRONT = re.compile(r"\A---[ \t]*\r?\n[\s\S]*?^---[ \t]*\r?$", re.MULTILINE)


def unseen(page: Page) -> tuple[int, int] | None:
    """The source span of a digit that the rendered page shows and the first reader left out; None where none is."""
    if page.document.syntax == "latex" or not _hides(page):
        return None
    shown = Counter(_DIGIT.findall(_rendered(page)))
    seen = Counter(
        _DIGIT.findall(
            "".join(
                page.visible.text[start:end]
                for start, end, _ in page.visible.pieces("prose", "heading", "code", "fence", "program", "math")
            )
        )
    )
    missing = shown - seen
    return _hidden(page, missing) if missing else None


def _hides(page: Page) -> bool:
    """Whether the source holds more digits than show, outside its stamps: cheap, and nearly always false."""
    text = page.document.text
    stamps = "".join(text[stamp.start : stamp.end] for stamp in page.stamps)
    hidden = _count(text) - _count(stamps) - _count(page.visible.text)
    return hidden > 0 or not text.isascii() or page.document.syntax == "html"


def _count(text: str) -> int:
    return sum(map(text.count, "0123456789"))


def _rendered(page: Page) -> str:
    """The text a browser shows, stamps cut out."""
    from selectolax.lexbor import LexborHTMLParser

    html = _unstamped(page)
    if page.document.syntax == "markdown":
        from markdown_it import MarkdownIt

        html = MarkdownIt("commonmark").enable("table").render(_LABEL.sub("", _FRONT.sub("", html)))
    tree = LexborHTMLParser(html)
    for node in tree.css("script, style, template"):
        node.decompose()
    return plain("".join(part.text() for part in (tree.head, tree.body) if part is not None))


def _unstamped(page: Page) -> str:
    pieces, at = [], 0
    for stamp in sorted(page.stamps):
        pieces += [page.document.text[at : stamp.start], BACKED]
        at = max(at, stamp.end)
    return "".join(pieces) + page.document.text[at:]


def _hidden(page: Page, missing: Counter[str]) -> tuple[int, int]:
    """Where the missing digits stand: the first run of the source, outside stamps and what shows, that has one."""
    covered = [(stamp.start, stamp.end) for stamp in page.stamps] + page.visible.copied()
    covered.sort()
    for run in _RUN.finditer(page.document.text):
        if set(run[0]) & set(missing) and not any(start <= run.start() < end for start, end in covered):
            return run.span()
    return 0, 1
