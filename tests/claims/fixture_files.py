"""Reads the Markdown fixtures: cases of a title (the route), an input, and what must be found in it.

    route in a few words [latex]
    .
    the text
    .
    1:5 the characters meant
    .

Tags: `latex` or `html` for the syntax, `page` for a built page that is read back, `loose` for a text that isn't
strict. `\\u{200b}` stands for a character that would not show. What stands before the first case is for people.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).parent / "fixtures"
_CASE = re.compile(r"^(?P<route>[^\n]+)\n\.\n(?P<text>.*?)\n\.\n(?P<found>.*?)^\.$", re.MULTILINE | re.DOTALL)
_TAGS = re.compile(r"\s*\[([a-z ]+)\]\Z")


@dataclass(frozen=True)
class Case:
    """One fixture. `code` is empty for an honest text; `found` are the places in order."""

    code: str
    route: str
    text: str
    found: tuple[str, ...]
    syntax: str
    scope: str

    def __str__(self) -> str:
        return f"{self.code or 'honest'}: {self.route}"


def cases(name: str) -> list[Case]:
    """Every case of the files whose name fits a pattern, such as `EV*.md`."""
    return [
        _case(path.stem.partition("-")[0] if path.stem.startswith("EV") else "", match)
        for path in sorted(FOLDER.glob(name))
        for match in _CASE.finditer(path.read_text("utf-8"))
    ]


def _case(code: str, match: re.Match[str]) -> Case:
    tags = _TAGS.search(match["route"])
    words = tags[1].split() if tags else []
    syntax = next((word for word in words if word in ("latex", "html", "page")), "markdown")
    scope = "loose" if "loose" in words else "content"
    found = tuple(map(unescaped, match["found"].splitlines()))
    return Case(code, _TAGS.sub("", match["route"]), unescaped(match["text"]), found, syntax, scope)


def unescaped(text: str) -> str:
    return re.sub(r"\\u\{([0-9a-f]+)\}", lambda match: chr(int(match[1], 16)), text)
