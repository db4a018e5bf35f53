"""HTML source as its reader sees it, with offsets. (Built pages are read by `readback`, from the parsed tree.)"""

from __future__ import annotations

import re

from site_builder.claims.document import Document
from site_builder.claims.stamps import DATA, LAST, LINK, PAIR, broken, stamp
from site_builder.claims.syntax import Reading, markup
from site_builder.claims.visible import BACKED, Visible

_RAW = r"(?P<raw><(?P<element>script|style)\b(?P<options>[^<>]*)>(?P<body>[\s\S]*?)</(?P=element)\s*>)"
_GRAMMAR = re.compile("|".join((PAIR, DATA, LINK, _RAW, markup.COMMENT, markup.TAG, markup.ENTITY)), re.IGNORECASE)


def read(document: Document) -> Reading:
    text = document.text
    visible = Visible(text)
    stamps = []
    scripts: list[tuple[int, int]] = []
    at = 0
    for match in _GRAMMAR.finditer(text):
        visible.copy(at, match.start(), "prose")
        start, at = match.span()
        if match.lastgroup in LAST:
            stamps.append(stamp(match))
            visible.put(BACKED, start, at, "backed")
        elif match.lastgroup == "raw":
            scripts.append((start, at))
            _raw(visible, text, match)
        elif match.lastgroup == "tag":
            markup.tag(visible, text, start, at)
        elif match.lastgroup == "entity":
            markup.entity(visible, match, "prose")
    visible.copy(at, len(text), "prose")
    spans = [(one.start, one.end) for one in stamps] + scripts
    return Reading(visible.seal(), stamps, broken(text, spans))


def _raw(visible: Visible, text: str, match: re.Match[str]) -> None:
    """A style sheet prints its `content`; a script is code, except data that search engines read aloud."""
    start, end = match.span("body")
    if match["element"].lower() == "style":
        markup.css(visible, text, start, end)
    else:
        visible.put("\n", start, start, "program")
        visible.copy(start, end, "attribute" if "json" in match["options"] else "program")
        visible.put("\n", end, end, "program")
