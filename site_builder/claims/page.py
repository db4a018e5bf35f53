"""One document as the rules see it: what shows, the stamps with their answers, the numerals, the scope."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from site_builder.claims import syntax
from site_builder.claims.answers import Answer, answer
from site_builder.claims.document import Document
from site_builder.claims.finding import Finding
from site_builder.claims.glue import glue
from site_builder.claims.numerals import Numeral, measured, numerals
from site_builder.claims.stamps import Stamp
from site_builder.claims.units import SIZED, Units

if TYPE_CHECKING:
    from site_builder.claims.rules import Rule
    from site_builder.claims.state import State
    from site_builder.claims.waivers import Waiver
    from site_builder.lookup import Lookup

_MARKER = re.compile(r"^([0-9]{1,9})[.)](?=[ \t\n]|\Z)", re.MULTILINE)
_HEADING = re.compile(r"(?P<number>(?:1?[0-9]|20)(?:\.[0-9]{1,2}){0,3})(?:[.:)]\s|\s+(?=[A-Z]))")
_PLAIN = re.compile(r"[-+−±]?[0-9.,:/'’ \u00a0\u2009\u202f_×*eE+−–-]+")


class Page:
    """`strict` holds where every numeral must be backed; `in_content` says the file is one of the site's own."""

    waived: Sequence[tuple[Waiver, int]] = ()  # set once the rules that can be waived have run

    def __init__(
        self, document: Document, lookup: Lookup, state: State, units: Units, *, in_content: bool = False
    ) -> None:
        self.document = document
        self.lookup = lookup
        self.state = state
        self.units = units
        self.visible, self.stamps, self.broken = syntax.read(document)
        self.strict = bool(in_content or self.stamps or self.broken or document.declared_strict)

    @cached_property
    def answers(self) -> list[tuple[Stamp, Answer]]:
        """Every stamp with what the store says to it. Raises StoreError for a damaged store."""
        return [(stamp, answer(stamp, self.document.syntax, self.lookup)) for stamp in self.stamps]

    @cached_property
    def numerals(self) -> list[Numeral]:
        """Every numeral that shows; a list's or heading's own numbering counts as allowed."""
        return [
            numeral._replace(allowed="numbering") if self._numbers(numeral) else numeral
            for numeral in numerals(self.visible, self.units)
        ]

    def _numbers(self, numeral: Numeral) -> bool:
        if numeral.start in self._markers:
            return self._markers[numeral.start] and not measured(self.visible.text, numeral.end + 1, self.units)
        line = self.visible.text.rfind("\n", 0, numeral.start)
        if line < 0 or line + 1 != numeral.start or self.visible.kind(line) != "heading":
            return False
        match = _HEADING.match(self.visible.text, numeral.start)
        return match is not None and not measured(self.visible.text, match.end("number"), self.units)

    @cached_property
    def _markers(self) -> dict[int, bool]:
        """Where ordered list items begin, and whether each number follows on from the one before."""
        found: dict[int, bool] = {}
        last: dict[int, int] = {}
        if self.document.syntax != "markdown":
            return found
        for match in _MARKER.finditer(self.visible.text):
            if self.visible.kind(match.start()) == "prose":
                offset = self.visible.source(match.start(), match.end())[0]
                column, number = self.document.position(offset)[1], int(match[1])
                found[match.start()] = number in (0, 1) or number in (last.get(column), last.get(column, -1) + 1)
                last[column] = number
        return found

    def place(self, numeral: Numeral) -> str:
        """Where a numeral stands: the kind of its first character, or `marker` for a list's number."""
        return "marker" if numeral.start in self._markers else self.visible.kind(numeral.start)

    def plainly(self, numeral: Numeral) -> bool:
        """Whether the source spells the numeral in ASCII digits, in one piece."""
        text = self.visible.text[numeral.start : numeral.end].rstrip(" %‰")
        low, high = self.visible.source(numeral.start, numeral.start + len(text))
        return not numeral.fake and high - low == len(text) and bool(_PLAIN.fullmatch(self.document.text, low, high))

    def unit_of(self, numeral: Numeral) -> str:
        """The unit of the store a numeral stands with: after it, before it, or over its table column."""
        text = self.visible.text
        if after := self.units.after.match(text, numeral.end):
            return after["unit"]
        for pattern in (self.units.before, self.units.heading):
            if before := pattern.search(text, max(0, numeral.start - 60), numeral.start):
                return before["unit"]
        return self._column_unit(numeral) if self.document.syntax == "markdown" else ""

    def _column_unit(self, numeral: Numeral) -> str:
        """The unit in the header of the pipe table a numeral stands in."""
        number, column = self.document.position(self.visible.source(numeral.start, numeral.end)[0])
        line = self.document.line(number)
        if "|" not in line:
            return ""
        cell = line[: column - 1].count("|")
        while number > 1 and "|" in self.document.line(number - 1):
            number -= 1
        header = self.document.line(number).split("|")
        match = self._header.search(header[cell]) if cell < len(header) else None
        return match[0] if match else ""

    @cached_property
    def _header(self) -> re.Pattern[str]:
        return re.compile(rf"\b(?:{self.units.either}|{'|'.join(map(re.escape, SIZED))})\b", re.IGNORECASE)

    @staticmethod
    def find(numeral: Numeral) -> str:
        return f"lens evidence find {numeral.text.strip()!r} names what holds it"

    @cached_property
    def glue(self) -> list[tuple[int, int]]:
        """Visible spans that touch a stamp and change its number; what stands in them is the glue rule's alone."""
        return glue(self.visible.text)

    def glued(self, start: int, end: int) -> bool:
        return any(start < high and low < end for low, high in self.glue)

    def naked(self) -> Iterator[Numeral]:
        """Numerals that no class allows and no stamp touches."""
        for numeral in self.numerals:
            if not numeral.allowed and not self.glued(numeral.start, numeral.end):
                yield numeral

    def spelling(self, start: int, end: int) -> str:
        """How the source spells the visible characters from `start` to `end`."""
        low, high = self.visible.source(start, end)
        return self.document.text[low:high]

    def seen(self, rule: Rule, start: int, end: int, message: str, hint: str = "") -> Finding:
        """A finding about the visible characters from `start` to `end`."""
        return self.at(rule, *self.visible.source(start, end), message, hint)

    def at(self, rule: Rule, start: int, end: int, message: str, hint: str = "") -> Finding:
        """A finding about the source from `start` to `end`; the caret stays on the first line."""
        line, column = self.document.position(start)
        source = self.document.line(line)
        width = max(1, min(end - start, len(source) - column + 1))
        return Finding(
            rule.code,
            rule.name,
            self.document.path,
            line,
            column,
            width,
            message,
            hint,
            source,
            self.document.text[start:end],
        )
