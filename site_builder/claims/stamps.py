"""Stamps: the places where a text holds a number literally and names the evidence it came from.

    Markdown, HTML   <!--ev id#field|fmt-->5 of 374<!--/ev-->     [0 of 60](ev:id#killed,total)
    HTML             <data value="5" data-ev="id#field|fmt">5 of 374</data>
    LaTeX            \\ev{id:field|fmt}{5 of 374}
    MyST roles       {ev}`id#field|fmt`  {claim}`more than half|id#field > 0.5`  {said}`id@scope`  {declined}`id#field`

`id@digest#field` (or `...|fmt@digest`) pins the measurement; in a table write `\\|` for the bar. A reference
that holds a comparison backs words: `<!--ev id#field > 0.5-->more than half<!--/ev-->`.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Literal, NamedTuple, cast

Form = Literal["comment", "link", "macro", "data", "ev", "claim", "said", "declined"]

ROLES = ("ev", "claim", "said", "declined")  # nothing is typed that could differ

PAIR = r"<!--\s*ev\s(?P<ref>(?:(?!-->)[^\n])*)-->(?P<shown>(?:(?!<!--)(?!\n[ \t]*\r?\n)[\s\S])*?)<!--\s*/ev\s*-->"
LINK = (
    r"\[(?P<words>(?:[^\[\]\n]|\n(?![ \t]*\r?\n))+)\]"
    r"\(\s*<?ev:(?P<cites>[^()\s<>]*(?:[ ]?[<>=]+[ ]?[^()\s<>]+)?)>?\s*\)"
)
DATA = (
    r"<data\b(?=[^<>]*\sdata-ev=)(?P<attributes>(?:\"[^\"]*\"|'[^']*'|[^<>\"'])*)>"
    r"(?P<value>(?:(?!<data\b)[\s\S])*?)</data\s*>"
)
ROLE = r"\{(?P<role>ev|claim|said|declined)\}(?P<ticks>`+)(?P<cited>[^`\n](?:[^`]|\n(?![ \t]*\r?\n))*?)(?P=ticks)(?!`)"

LAST = ("shown", "cites", "value", "cited")  # the group each of the four ends with: by it a match is known for a stamp

_SMELL = re.compile(
    r"(?=[<\]]|^[ \[])(?:<!--\s*/?\s*ev\b[^\n>]*|\]\(\s*<?\s*ev:|^[ ]{0,3}\[[^\]\n]+\]:\s*<?ev:[^\n]*)",
    re.IGNORECASE | re.MULTILINE,
)
_PIN = re.compile(r"@([0-9a-fA-F]{4,64})(?=#|\||\s*$)")
_EV_ATTRIBUTE = re.compile(r"""\sdata-ev=(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+))""")
_COMPARES = re.compile(r"[<>=!]")


class Stamp(NamedTuple):
    """One stamp: its span, the span of what it shows, the reference as the lookup reads it, and the pin."""

    start: int
    end: int
    shown_start: int
    shown_end: int
    shown: str
    ref: str
    pin: str
    form: Form

    @property
    def compares(self) -> bool:
        """Whether the stamp backs words by a condition, not a printed value."""
        return self.form == "claim" or (
            self.form not in ROLES and bool(_COMPARES.search(self.ref.lstrip().removeprefix("=")))
        )


class Broken(NamedTuple):
    """Something that looks like a stamp and isn't one."""

    start: int
    end: int
    why: str
    hint: str = ""


def stamp(match: re.Match[str]) -> Stamp:
    """The stamp behind a match of `PAIR`, `LINK`, `DATA` or `ROLE`."""
    if match.lastgroup == "shown":
        return _made(match, "shown", match["ref"], "comment")
    if match.lastgroup == "cites":
        return _made(match, "words", _unescaped(match["cites"]), "link")
    if match.lastgroup == "cited":
        return _made(match, "cited", match["cited"], cast(Form, match["role"]))
    attribute = _EV_ATTRIBUTE.search(" " + match["attributes"])
    ref = next(filter(None, attribute.groups()), "") if attribute else ""
    return _made(match, "value", _unescaped(ref), "data")


def _unescaped(text: str) -> str:
    if "&" not in text:
        return text
    from html import unescape

    return unescape(text)


def macro(start: int, end: int, ref: str, shown: tuple[int, int], text: str) -> Stamp:
    """The stamp of `\\ev{ref}{shown}`, whose colons stand for `#`."""
    reference, pin = unpin(ref.replace(":", "#"))
    return Stamp(start, end, *shown, text, reference, pin, "macro")


def unpin(ref: str) -> tuple[str, str]:
    """The reference without its pins, and the pin."""
    pins = _PIN.findall(ref)
    return _PIN.sub("", ref).strip(), pins[0].lower() if pins else ""


def _made(match: re.Match[str], shown: str, ref: str, form: Form) -> Stamp:
    reference, pin = (ref, "") if form in ROLES else unpin(ref.replace("\\|", "|"))
    return Stamp(match.start(), match.end(), *match.span(shown), match[shown], reference, pin, form)


def broken(text: str, read: list[tuple[int, int]]) -> list[Broken]:
    """Looks like part of a stamp, outside the spans that were read as stamps or as code."""
    spans = sorted(read)
    starts = [start for start, _ in spans]
    found = []
    for smell in _SMELL.finditer(text):
        before = bisect_right(starts, smell.start()) - 1
        if before < 0 or smell.start() >= spans[before][1]:
            found.append(Broken(smell.start(), smell.end(), *_mistake(smell[0].lstrip())))
    return found


def _mistake(words: str) -> tuple[str, str]:
    pair = "<!--ev id#field|fmt-->0<!--/ev-->"
    if words.startswith("<!--") and "/" in words[:8]:
        return "the end of a stamp without its beginning", pair
    if words.startswith("<!--"):
        return "a stamp that does not close, or holds another", pair
    if words.startswith("["):
        return "a stamp can't be a reference link", "[0 of 60](ev:id#field)"
    return "a stamp link that can't be read", "[0 of 60](ev:id#field), without markup in its text"
