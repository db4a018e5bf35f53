"""What a reader sees of a source, as one string, with the way back to every character's source.

Each syntax copies what shows and leaves out what doesn't, so `0.**931**`, `0&#46;931` and a soft hyphen
inside a number all read 0.931 here. Digits of any script become ASCII, any other numeral (½ ² ⑦ Ⅳ) becomes
`OTHER`, letters that look Latin become Latin, characters without width vanish, and a backed number is one `BACKED`
character.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal

Kind = Literal["prose", "heading", "marker", "code", "fence", "program", "math", "attribute", "backed"]

BACKED = "\ufffc"  # stands for a number the store answers for
OTHER = "½"  # stands for any numeral that is not a decimal digit

_SAME = {
    **dict.fromkeys(map(ord, "−﹣－➖"), "−"),
    **dict.fromkeys(map(ord, "‐‑"), "-"),
    **dict.fromkeys(map(ord, "⁄∕÷"), "/"),
    **dict.fromkeys(map(ord, "٪﹪％"), "%"),
    **dict.fromkeys(map(ord, "·٫⋅․‧"), "."),
    **dict.fromkeys(map(ord, "٬‚"), ","),
    **dict.fromkeys(map(ord, "🔟💯"), OTHER),
    **dict(zip(map(ord, "аеорсухіѕјһԁԛԝӏАВЕКМНОРСТУХІЅЈ"), "aeopcyxisjhdqwlABEKMHOPCTYXISJ", strict=True)),
    **dict(zip(map(ord, "οΑΒΕΖΗΙΚΜΝΟΡΤΥΧ"), "oABEZHIKMNOPTYX", strict=True)),
}


class _Table(dict[int, str]):
    """`str.translate` table filled as characters turn up; every entry is one character."""

    def __missing__(self, code: int) -> str:
        self[code] = self._plain(chr(code))
        return self[code]

    @staticmethod
    def _plain(char: str) -> str:
        digit = unicodedata.decimal(char, None)
        if digit is not None:
            return str(digit)
        category = unicodedata.category(char)
        if category in ("No", "Nl"):
            return OTHER
        if category == "Zs":
            return " "
        folded = unicodedata.normalize("NFKC", char)
        if any(map(str.isdecimal, folded)):
            return OTHER
        return folded if len(folded) == 1 and folded.isascii() else char


_TABLE = _Table(_SAME)


_BEYOND = re.compile(r"[^\x00-\x7f]+")
_LIGATURES = "ﬀﬁﬂﬃﬄﬅﬆ"


def plain(text: str) -> str:
    """A text with its digits and look-alikes made plain, for reading without a way back to its source."""
    return text if text.isascii() else _BEYOND.sub(_made_plain, text)


def _made_plain(run: re.Match[str]) -> str:
    return _plain(run[0])


@lru_cache(maxsize=4096)
def _plain(run: str) -> str:
    """A run of characters beyond ASCII; marks that join to ASCII take no room, so no run reaches past its ends."""
    return unicodedata.normalize("NFC", _widthless().sub(_shown, run)).translate(_TABLE)


def _shown(gap: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", gap[0]) if gap[0] in _LIGATURES else ""


@cache
def _widthless() -> re.Pattern[str]:
    """Characters that take no room (joiners, direction marks, selectors, combining marks, tags), and ligatures."""
    return re.compile(
        "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
        "\ufeff\uffa0\ufff9-\ufffc\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
        "\U000e0000-\U000e0fff]+|[ﬀ-ﬆ]"
    )


class Visible:
    """Grows by `copy` and `put`; `seal` once, then `text`, `source`, `kind` answer."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._parts: list[str] = []
        self._at: list[int] = []
        self._from: list[int] = []
        self._to: list[int] = []  # -1: character for character
        self._kinds: list[Kind] = []
        self._length = 0
        self.text = ""
        self.exotic = False  # whether the source holds anything beyond ASCII

    def copy(self, start: int, end: int, kind: Kind) -> None:
        """The source from `start` to `end`, as it stands."""
        piece = self._source[start:end]
        if "\r" in piece:  # a line ends at "\n" here, whatever the source ends it with
            for part in re.finditer(r"[^\r]+", piece):
                self.copy(start + part.start(), start + part.end(), kind)
            return
        if piece.isascii():
            self._add(piece, start, -1, kind)
            return
        self.exotic = True
        at = 0
        for gap in _widthless().finditer(piece):
            self._add(piece[at : gap.start()].translate(_TABLE), start + at, -1, kind)
            at = gap.end()
            if gap[0] in _LIGATURES:
                self._add(unicodedata.normalize("NFKC", gap[0]), start + gap.start(), start + at, kind)
        self._add(piece[at:].translate(_TABLE), start + at, -1, kind)

    def put(self, text: str, start: int, end: int, kind: Kind) -> None:
        """`text` where the source from `start` to `end` spells it another way (an entity, a macro)."""
        if not (text.isascii() or text == BACKED):
            self.exotic = True
            text = plain(text)
        self._add(text, start, end, kind)

    def _add(self, text: str, start: int, end: int, kind: Kind) -> None:
        if text:
            self._parts.append(text)
            self._at.append(self._length)
            self._from.append(start)
            self._to.append(end)
            self._kinds.append(kind)
            self._length += len(text)

    def seal(self) -> Visible:
        self.text = "".join(self._parts)
        return self

    def kind(self, index: int) -> Kind:
        return self._kinds[bisect_right(self._at, index) - 1]

    def source(self, start: int, end: int) -> tuple[int, int]:
        """The source span behind the visible characters from `start` to `end` (at least one)."""
        return self._edge(start)[0], self._edge(end - 1)[1]

    def _edge(self, index: int) -> tuple[int, int]:
        piece = bisect_right(self._at, index) - 1
        if self._to[piece] >= 0:
            return self._from[piece], self._to[piece]
        offset = self._from[piece] + index - self._at[piece]
        return offset, offset + 1

    def copied(self) -> list[tuple[int, int]]:
        """The source spans that show, in order of their text."""
        return [
            (start, end if end >= 0 else start + len(part))
            for start, end, part in zip(self._from, self._to, self._parts, strict=True)
        ]

    def pieces(self, *kinds: Kind) -> Iterator[tuple[int, int, Kind]]:
        """Visible start, visible end and kind of each run of one of `kinds`, neighbours of a kind joined."""
        start = 0
        for number, kind in enumerate(self._kinds):
            last = number + 1 == len(self._kinds)
            if last or self._kinds[number + 1] != kind:
                end = self._length if last else self._at[number + 1]
                if kind in kinds:
                    yield start, end, kind
                start = end
