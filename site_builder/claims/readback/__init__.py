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
    rules = [rule for code, rule in registry(RULES).items() if code not in without]
    units = Units()
    report = Report()
    for path, html in _texts(pages):
        built = Built(path, html, lookup, units)
        found = {finding for rule in rules for finding in rule.check(built, rule)}
        report.findings += sorted(found, key=lambda one: one.order)
        report.digits[path] = built.digits
        report.allowed[path] = built.allowed
    return report


def _texts(pages: Path | Mapping[str, str]) -> Iterator[tuple[str, str]]:
    if isinstance(pages, Path):
        for path in sorted(pages.rglob("*.html")):
            yield path.relative_to(pages).as_posix(), path.read_text("utf-8")
    else:
        yield from sorted(pages.items())
