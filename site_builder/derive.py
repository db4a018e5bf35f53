"""Arithmetic on looked-up numbers: `= a#x / a#y`, with its parents listed.

    sum  := term (+ term | - term)*      term := atom (* atom | / atom)*
    atom := id#field | 1 | ( sum ) | min|max|mean|ratio|negatives ( sum, ... )

`negatives` counts its operands below zero, "k of n". Operators stand between spaces, since ids hold `/` and `-`. The
only literal is 1, so that a complement can be written and a value can't be typed.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from lens.errors import LensError
from lens.reading import Kind, Quantity, Quote

if TYPE_CHECKING:
    from site_builder.lookup import Cited


class LookupFailure(LensError):
    """A reference that can't be printed."""


class BadReference(LookupFailure):
    """The reference does not parse."""


def number(cited: Cited) -> float:
    """The plain number behind a citation. Raises BadReference for words."""
    field = cited.field
    value = field.value if isinstance(field, Quantity | Quote) else None
    if value is None:
        raise BadReference(f"{cited.ref} is words, not a number: {cited.ascii}")
    return value


def _mean(*values: float) -> float:
    return math.fsum(values) / len(values)


def _ratio(above: float, below: float) -> float:
    return above / below


def _negatives(*values: float) -> int:
    return sum(value < 0 for value in values)


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "min": min,
    "max": max,
    "mean": _mean,
    "ratio": _ratio,
    "negatives": _negatives,
}
_SPELLED = {"−": "-", "×": "*", "÷": "/"}


class Expression:
    """One expression, read by recursive descent; `parents` are the citations in it, in order."""

    def __init__(self, text: str, cite: Callable[[str], Cited]) -> None:
        self.source = text
        self.cite = cite
        self.tokens = [_SPELLED.get(token, token) for token in re.findall(r"[(),]|[^\s(),]+", text)]
        self.text = " ".join(self.tokens)
        self.at = 0
        self.parents: list[Cited] = []
        self.divided = False
        self.subtracted = False
        self.counted = 0

    @property
    def of(self) -> int | None:
        """Of how many a count is."""
        return self.counted if self.kind == "count" and self.counted else None

    @property
    def kind(self) -> Kind:
        """A quotient is a ratio, a difference keeps its sign; sums, means and extremes keep their operand's kind."""
        if self.divided:
            return "ratio"
        if self.subtracted:
            return "difference"
        if self.counted:
            return "count"
        field = self.parents[0].field
        return field.kind if isinstance(field, Quantity | Quote) else "score"

    def value(self) -> float:
        try:
            result = self._sum()
        except ZeroDivisionError:
            raise BadReference(f"{self.source.strip()!r} divides by zero") from None
        if self.at != len(self.tokens):
            raise self._bad()
        return result

    def _bad(self) -> BadReference:
        seen = self.tokens[self.at] if self.at < len(self.tokens) else "the end"
        return BadReference(
            f"can't read {seen!r} in {self.source.strip()!r}", remedy="spaces around operators: = a#x / a#y | pct1"
        )

    def _next(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def _take(self, wanted: str) -> None:
        if self._next() != wanted:
            raise self._bad()
        self.at += 1

    def _sum(self) -> float:
        result = self._term()
        while (sign := self._next()) in ("+", "-"):
            self.at += 1
            self.subtracted |= sign == "-"
            term = self._term()
            result = result + term if sign == "+" else result - term
        return result

    def _term(self) -> float:
        result = self._atom()
        while (sign := self._next()) in ("*", "/"):
            self.at += 1
            self.divided |= sign == "/"
            atom = self._atom()
            result = result * atom if sign == "*" else result / atom
        return result

    def _atom(self) -> float:
        token = self._next()
        self.at += 1
        if token == "1":
            return 1
        if token == "(":
            value = self._sum()
            self._take(")")
            return value
        if token in _FUNCTIONS:
            self._take("(")
            return self._call(token)
        if "#" not in token:
            self.at -= 1
            raise self._bad()
        cited = self.cite(token)
        self.parents.append(cited)
        return number(cited)

    def _call(self, name: str) -> float:
        values = [self._sum()]
        while self._next() == ",":
            self.at += 1
            values.append(self._sum())
        self._take(")")
        self.divided |= name == "ratio"
        self.counted += len(values) if name == "negatives" else 0
        if name == "ratio" and len(values) != 2:
            raise BadReference(f"ratio takes two values, got {len(values)}: {self.source.strip()!r}")
        return _FUNCTIONS[name](*values)
