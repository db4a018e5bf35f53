"""The sentence each number of a page stands in, for the ledger: its block's words, with the stamps kept.

Reads what this package's templates and its Markdown renderer write, where every element that opens is closed.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

_BLOCK = "p|li|tr|dd|figcaption|blockquote|h1|h2|h3|div"
_EDGE = re.compile(rf'<(?:(/?)(?:{_BLOCK})[ >]|data [^>]*data-ev="([^"]*)")')
_CELLS = re.compile(r"</?t[hdr](?: [^>]*)?>")
_OTHER = re.compile(r"<(?!/?(?:data|span|code|br)[ />])[^>]*>")
_BREAK = re.compile(r"<br ?/?>")
_INLINE = re.compile(r'<(/?)(span|code)((?: [\w-]+="[^"]*")*)>')
_KEPT = re.compile(r' data-(?:said|ev-claim)="[^"]*"')
_SPACE = " \t\r\n\f"  # HTML's own white space: a number's narrow no-break space is part of it


def sentences(body: str) -> list[tuple[str, list[str]]]:
    """(sentence as HTML, references in it) for each block of `body` that prints a number, in order."""
    if "data-ev=" not in body:
        return []
    found: list[tuple[int, int, list[str]]] = []  # start, end, references
    open_: list[tuple[int, list[str]]] = [(0, [])]
    for edge in _EDGE.finditer(body):
        closes, ref = edge.groups()
        if ref is not None:
            open_[-1][1].append(unescape(ref))
        elif not closes:
            open_.append((edge.start(), []))
        elif len(open_) > 1:
            start, refs = open_.pop()
            if refs:
                found.append((start, edge.start(), refs))
    if open_[0][1]:  # in no block at all
        found.append((0, len(body), open_[0][1]))
    return [(_words(body[start:end]), refs) for start, end, refs in sorted(found)]


def _words(block: str) -> str:
    """A block without its tags but those that back what is in them; a row's cells are set apart by dots."""
    if block.startswith("<tr"):
        block = " · ".join([cell for part in _CELLS.split(block) if (cell := part.strip(_SPACE))])
    block = _OTHER.sub("", block)
    if "<br" in block:
        block = _BREAK.sub(", ", block)
    if "<span" in block or "<code" in block:
        block = _INLINE.sub(_backed(), block)
    return _spaced(block)


def _spaced(text: str) -> str:
    """White space as a browser shows it."""
    for space in _SPACE[1:]:
        text = text.replace(space, " ")
    while "  " in text:
        text = text.replace("  ", " ")
    return text.strip(" ")


def _backed() -> Callable[[re.Match[str]], str]:
    """Takes spans out, but for those that back what is in them, and keeps code."""
    kept: list[bool] = []

    def tag(match: re.Match[str]) -> str:
        closes, name, attributes = match.groups()
        if closes:
            return match[0] if kept and kept.pop() else ""
        backed = "".join(_KEPT.findall(attributes))
        kept.append(bool(backed) or name == "code")
        return f"<{name}{backed}>" if kept[-1] else ""

    return tag
