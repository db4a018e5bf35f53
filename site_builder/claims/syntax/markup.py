"""Tags, comments and entities as a browser and CommonMark read them; where they differ, text counts as visible."""

from __future__ import annotations

import re

from site_builder.claims.visible import Kind, Visible

# `--` inside a comment ends it for some readers: such a comment hides nothing.
COMMENT = r"(?P<comment><!-->|<!--->|<!--(?!-?>)(?:(?!--)[\s\S])*-->|<!(?!--)[^<>]*>|<\?[^<>]*>)"
# CommonMark's own grammar: what it does not call a tag it prints.
TAG = (
    r"(?P<tag></[A-Za-z][A-Za-z0-9-]*\s*>|<[A-Za-z][A-Za-z0-9-]*"
    r"(?:\s+[A-Za-z_:][\w.:-]*(?:\s*=\s*(?:[^\s\"'=<>`]+|'[^']*'|\"[^\"]*\"))?)*\s*/?>)"
)
ENTITY = r"(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});?)"

_BLOCKS = re.compile(
    r"</?(?:address|article|aside|blockquote|br|button|caption|dd|details|div|dl|dt|fieldset|figcaption|figure|footer|"
    r"form|h[1-6]|head|header|hr|html|img|legend|li|main|nav|ol|option|p|pre|section|select|summary|svg|table|tbody|td|"
    r"tfoot|th|thead|title|tr|ul)\b",
    re.IGNORECASE,
)
_HEADING = re.compile(r"<h[1-6]\b", re.IGNORECASE)
_SEEN = (
    r"alt|title|placeholder|label|summary|aria-[a-z]+|data-label|data-title|data-caption|"
    r"content|value|start|min|max|low|high|optimum|data"
)
_ATTRIBUTE = re.compile(rf"""\s({_SEEN})\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""", re.IGNORECASE)
_STYLE = re.compile(r"""\sstyle\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_CONTENT = re.compile(
    r"""content\s*:[^;}]*|--[\w-]+\s*:\s*["'][^"']*["']|counter-(?:reset|set|increment)\s*:[^;}]*[2-9][^;}]*""",
    re.IGNORECASE,
)
_TECHNICAL = re.compile(
    r"""name\s*=\s*["']?(?:viewport|generator|theme-color|format-detection|robots)|http-equiv|charset""", re.IGNORECASE
)
_ID_LISTS = re.compile(
    r"aria-(?:labelledby|describedby|controls|owns|details|hidden|expanded|current|level)", re.IGNORECASE
)


def entity(visible: Visible, match: re.Match[str], kind: Kind) -> None:
    from html import unescape

    visible.put(unescape(match[0]), match.start(), match.end(), kind)


def tag(visible: Visible, source: str, start: int, end: int) -> None:
    """What a tag shows: a break if it is a block's, and the attributes people read or hear."""
    text = source[start:end]
    if _BLOCKS.match(text):
        visible.put("\n", start, end, "heading" if _HEADING.match(text) else "prose")
    if text.startswith("</") or "=" not in text:
        return
    technical = text[:5].lower() == "<meta" and _TECHNICAL.search(text)
    for match in _ATTRIBUTE.finditer(text):
        name = match[1].lower()
        group = next(number for number in (2, 3, 4) if match[number] is not None)
        hidden = (
            _ID_LISTS.fullmatch(name) or (name == "content" and technical) or (name == "data" and "<object" in text)
        )
        if not hidden and any(char.isalnum() for char in match[group]):
            attribute(visible, source, start + match.start(group), start + match.end(group))
    for style in _STYLE.finditer(text):
        group = 1 if style[1] is not None else 2
        css(visible, source, start + style.start(group), start + style.end(group))


def css(visible: Visible, source: str, start: int, end: int) -> None:
    """Text a style sheet prints: `content` and custom properties that hold a string."""
    for match in _CONTENT.finditer(source, start, end):
        attribute(visible, source, match.start(), match.end())


_ENTITY = re.compile(ENTITY)


def attribute(visible: Visible, source: str, start: int, end: int) -> None:
    """Attribute text, on a line of its own."""
    visible.put("\n", start, start, "attribute")
    at = start
    for match in _ENTITY.finditer(source, start, end):
        visible.copy(at, match.start(), "attribute")
        entity(visible, match, "attribute")
        at = match.end()
    visible.copy(at, end, "attribute")
    visible.put("\n", end, end, "attribute")
