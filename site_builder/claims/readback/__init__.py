"""Read-back of built pages: every digit is looked up again, by code that shares nothing with what wrote it.

A digit must sit in `<data value data-ev>`, in `<tspan data-ev>` of a drawing, in an axis tick that the drawing's
stored scale gives, in words a record says (`data-said`), or, for attributes and structured data, in an element that
carries `data-ev-<attribute>`. A word with a letter in it is a name. What is left is on the allow list, and its share
is bounded.

    check(pages, lookup)   findings; `pages` is a folder of HTML files, or HTML by path
    read(pages, lookup)    findings, and what the allow list let stand, page by page
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from site_builder.claims.finding import Finding
from site_builder.claims.readback.built import Built
from site_builder.claims.readback.repeats import Counts, apart
from site_builder.claims.rules import registry
from site_builder.claims.units import Units

if TYPE_CHECKING:
    from site_builder.lookup import Lookup

RULES = "site_builder.claims.readback.rules"


@dataclass
class Report:
    """`digits` are the digits outside code of each page, `allowed` those that stand unbacked, by token class."""

    findings: list[Finding] = field(default_factory=list)
    digits: dict[str, int] = field(default_factory=dict)
    allowed: dict[str, Counter[str]] = field(default_factory=dict)


def check(pages: Path | Mapping[str, str], lookup: Lookup) -> list[Finding]:
    """What is wrong with the digits of some built pages. Raises StoreError for a damaged store."""
    return read(pages, lookup).findings


def read(pages: Path | Mapping[str, str], lookup: Lookup, *, without: Collection[str] = ()) -> Report:
    """Reads built pages back. `without` leaves rules out, which only tests do."""
    return Reader(lookup, without=without).read(pages)


class Reader:
    """Reads the pages of one build back, a few at a time or all at once; what repeats on them is read once."""

    def __init__(self, lookup: Lookup, *, without: Collection[str] = ()) -> None:
        self.lookup = lookup
        self._rules = [rule for code, rule in registry(RULES).items() if code not in without]
        self._units = Units()
        self._known: dict[str, Counts] = {}

    def read(self, pages: Path | Mapping[str, str]) -> Report:
        report = Report()
        for path, html in _texts(pages):
            body, sheets = apart(html)
            found: set[Finding] = set()
            for said, sheet in sheets.items():
                if said not in self._known:
                    self._known[said] = self._one(Built(path, html, self.lookup, self._units, part=sheet), found)
            aside = [self._known[said] for said in sheets]
            counts = self._one(Built(path, html, self.lookup, self._units, part=body, aside=aside), found)
            report.findings += sorted(found, key=lambda one: one.order)
            report.digits[path], report.allowed[path] = counts
        return report

    def _one(self, built: Built, found: set[Finding]) -> Counts:
        found.update(finding for rule in self._rules for finding in rule.check(built, rule))
        return Counts(built.digits, built.allowed)


def _texts(pages: Path | Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if isinstance(pages, Path):
        for path in sorted(pages.rglob("*.html")):
            yield path.relative_to(pages).as_posix(), path.read_text("utf-8")
    else:
        yield from sorted(pages.items())
