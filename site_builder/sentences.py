"""The sentence each number of a page stands in, for the ledger: its block's words, with the stamps kept."""

from __future__ import annotations

import re

from markupsafe import escape
from selectolax.lexbor import LexborHTMLParser, LexborNode

_BLOCKS = {"p", "li", "tr", "dd", "figcaption", "blockquote", "h1", "h2", "h3", "div"}
_SPACE = " \t\r\n\f"  # HTML's own white space: a number's narrow no-break space is part of it
_SPACES = re.compile(f"[{_SPACE}]+")
_KEPT = {"span": ("data-said", "data-ev-claim"), "code": ("data-said",)}


def sentences(body: str) -> list[tuple[str, list[str]]]:
    """(sentence as HTML, references in it) for each block of `body` that prints a number, in order."""
    if "data-ev=" not in body:
        return []
    found: dict[int, tuple[LexborNode, list[str]]] = {}
    for number in LexborHTMLParser(body).css("data[data-ev]"):
        block = _block(number)
        found.setdefault(block.mem_id, (block, []))[1].append(number.attributes["data-ev"] or "")
    return [(_words(block), refs) for block, refs in found.values()]


def _block(node: LexborNode) -> LexborNode:
    at = node
    while at.parent is not None and at.tag not in _BLOCKS:
        at = at.parent
    return at


def _words(block: LexborNode) -> str:
    separator = " · " if block.tag == "tr" else ""
    parts = [_inner(child) for child in block.iter(include_text=True)]
    kept = (part.strip(_SPACE) if separator else part for part in parts if part.strip(_SPACE))
    return _SPACES.sub(" ", separator.join(kept)).strip(_SPACE)


def _inner(node: LexborNode) -> str:
    tag = node.tag or ""
    if tag == "-text":
        return escape(node.text_content or "")
    if tag == "br":
        return ", "
    if tag == "data":
        return node.html or ""  # a stamp, which holds nothing but its number
    inner = "".join([_inner(child) for child in node.iter(include_text=True)])
    if tag not in _KEPT:
        return inner
    attributes = node.attributes
    kept = [f' {name}="{escape(value)}"' for name in _KEPT[tag] if (value := attributes.get(name)) is not None]
    return f"<{tag}{''.join(kept)}>{inner}</{tag}>" if kept or tag == "code" else inner
