"""`ledger/`: every number a page prints, with the sentence it stands in, its id, and what the store holds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from site_builder.context import Job, Page, Site
from site_builder.writer import Writer

QUOTING = False
ROWS = 200  # a table longer than this is cut into pages of its own


class Entry(NamedTuple):
    """One sentence and the references in it."""

    path: str
    title: str
    sentence: str
    refs: list[str]


def jobs(site: Site) -> Iterator[Job]:
    parts = _parts(
        [
            Entry(page.path, page.title, sentence, refs)
            for page in sorted(site.pages, key=lambda page: page.path)
            for sentence, refs in page.ledger
        ]
    )
    for at, part in enumerate(parts):
        key = hashlib.sha256(repr((part, len(parts))).encode()).hexdigest()
        yield Job(_path(at), key, partial(_page, site, at, part, len(parts)))


def _parts(entries: list[Entry]) -> list[list[Entry]]:
    """Entries in order, cut where a page would hold more than its share of claims."""
    parts: list[list[Entry]] = [[]]
    claims = 0
    for entry in entries:
        if claims + len(entry.refs) > ROWS and parts[-1]:
            parts.append([])
            claims = 0
        parts[-1].append(entry)
        claims += len(entry.refs)
    return parts


def _path(at: int) -> str:
    return "ledger/" if at == 0 else f"ledger/{at + 1}/"


def _page(site: Site, at: int, part: list[Entry], parts: int) -> Page:
    return Writer(site, _path(at)).render(
        "ledger.html",
        "Ledger",
        section="Ledger",
        description="Every number this site prints: the page, the sentence, the evidence and the stored value.",
        entries=part,
        previous=_path(at - 1) if at else None,
        next=_path(at + 1) if at + 1 < parts else None,
    )
