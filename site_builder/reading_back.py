"""New HTML handed to the read-back as it is made, a few pages at a time, so that no build holds a whole site."""

from __future__ import annotations

from typing import NamedTuple

from site_builder.claims.readback import Reader
from site_builder.lookup import Lookup

_TOGETHER = 40


class Seen(NamedTuple):
    """Of one page: digits outside code, and those among them that stand without evidence, by token class."""

    digits: int
    allowed: dict[str, int]


class ReadBack:
    """Collects what the read-back finds; it shares nothing with what wrote the pages but the lookup."""

    def __init__(self, lookup: Lookup) -> None:
        self.reader = Reader(lookup)
        self.findings: list[str] = []
        self.seen: dict[str, Seen] = {}
        self._waiting: dict[str, str] = {}

    def add(self, file: str, html: str) -> None:
        self._waiting[file] = html
        if len(self._waiting) >= _TOGETHER:
            self.finish()

    def finish(self) -> None:
        """Read what is still waiting."""
        report = self.reader.read(self._waiting)
        self.findings += map(str, report.findings)
        for file, digits in report.digits.items():
            self.seen[file] = Seen(digits, dict(report.allowed[file]))
        self._waiting = {}
