"""`search/`: titles, ids and numbers, searched by a small script that works from disk; the index is a script too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial

from site_builder import links, naming, wording
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    entries = _entries(site)
    yield Job("search/", repr(entries), partial(_page, site, entries))


def _entries(site: Site) -> list[list[str]]:
    """[what, where, text to search], pages first."""
    entries = [
        [page.title, links.to_page(page.path), " ".join(dict.fromkeys(quoted.text for quoted in page.quotes))]
        for page in sorted(site.pages, key=lambda page: page.path)
    ]
    for id_ in site.store.ids():
        record = site.lookup.record(id_)
        words = wording.of(record.evidence.instrument)
        values = " ".join(value for value in site.store.line(id_).fields.values() if value)
        title = f"{words.title}, {naming.of(record.evidence.subject)}"
        entries.append([title, links.to_page(links.evidence(id_)), f"{id_} {' '.join(record.fields)} {values}"])
    return entries


def _page(site: Site, entries: list[list[str]]) -> tuple[Page, Body]:
    writer = Writer(site, "search/")
    index = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    writer.files["search-index.js"] = f"window.lensIndex={index};\n".encode()
    return writer.render(
        "search.html",
        "Search",
        section="Search",
        description="Search the pages, the evidence ids and the numbers.",
        scripts=["search-index.js", "search.js"],
    )
