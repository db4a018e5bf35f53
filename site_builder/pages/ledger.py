"""`ledger/`: every number a page prints, with the sentence it stands in, its id, and what the store holds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = False
CLAIMS = 400  # a ledger of more than this is cut into pages of their own


class Entry(NamedTuple):
    """One sentence and the references in it."""

    path: str
    title: str
    sentence: str
    refs: list[str]


def jobs(site: Site) -> Iterator[Job]:
    parts = _parts([page for page in sorted(site.pages, key=lambda page: page.path) if page.claims])
    for at, pages in enumerate(parts):
        key = repr(([(page.path, page.title, site.key(page.path)) for page in pages], len(parts)))
        yield Job(_path(at), key, partial(_page, site, at, pages, len(parts)))


def _parts(pages: list[Page]) -> list[list[Page]]:
    """Pages in order, cut where one part would hold more than its share of claims."""
    parts: list[list[Page]] = [[]]
    claims = 0
    for page in pages:
        if claims + page.claims > CLAIMS and parts[-1]:
            parts.append([])
            claims = 0
        parts[-1].append(page)
        claims += page.claims
    return parts


def _path(at: int) -> str:
    return "ledger/" if at == 0 else f"ledger/{at + 1}/"


def _page(site: Site, at: int, pages: list[Page], parts: int) -> tuple[Page, Body]:
    return Writer(site, _path(at)).render(
        "ledger.html",
        "Ledger",
        section="Ledger",
        description="Every number this site prints: the page, the sentence, the evidence and the stored value.",
        entries=[
            Entry(page.path, page.title, sentence, refs)
            for page in pages
            for sentence, refs in site.body(page.path).ledger
        ],
        previous=_path(at - 1) if at else None,
        next=_path(at + 1) if at + 1 < parts else None,
    )
