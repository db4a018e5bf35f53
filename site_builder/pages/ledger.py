"""`ledger/`: every number a page prints, in the sentence it stands in, with the fields behind it as they are stored."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from lens.reading import Quote
from site_builder import links
from site_builder.context import Body, Job, Page, Site
from site_builder.env import codeish
from site_builder.lookup import Cited, citations
from site_builder.writer import Writer

QUOTING = False
LONG = 180_000  # characters: a longer ledger is cut into pages of their own
_ROOT = "\x00"  # stands for the way back to the site's root, which differs between the ledger's pages


def jobs(site: Site) -> Iterator[Job]:
    parts = _parts([page for page in sorted(site.pages, key=lambda page: page.path) if page.claims])
    lines = Lines(site)
    for at, shares in enumerate(parts):
        key = repr(([(page.path, page.title, site.key(page.path), *share) for page, *share in shares], len(parts)))
        yield Job(_path(at), key, partial(_page, site, lines, at, shares, len(parts)))


class Share(NamedTuple):
    """A page's lines, or the share `at` of `of` shares of them where they are too long for one part."""

    page: Page
    at: int
    of: int


def _parts(pages: list[Page]) -> list[list[Share]]:
    """Pages in order, cut where one part would be too long."""
    parts: list[list[Share]] = [[]]
    told = 0
    for page in pages:
        of = -(-page.told // LONG)
        for at in range(of):
            if told + page.told // of > LONG and parts[-1]:
                parts.append([])
                told = 0
            parts[-1].append(Share(page, at, of))
            told += page.told // of
    return parts


def _path(at: int) -> str:
    return "ledger/" if at == 0 else f"ledger/{at + 1}/"


def _page(site: Site, lines: Lines, at: int, shares: list[Share], parts: int) -> tuple[Page, Body]:
    writer = Writer(site, _path(at))
    rows = "".join(_rows(writer, lines, share) for share in shares)
    return writer.render(
        "ledger.html",
        "Ledger",
        section="Ledger",
        description="Every number this site prints: the page, the sentence, the evidence and the stored value.",
        rows=Markup(rows.replace(_ROOT, writer.root)),
        previous=_path(at - 1) if at else None,
        next=_path(at + 1) if at + 1 < parts else None,
    )


def _rows(writer: Writer, lines: Lines, share: Share) -> str:
    """A page's sentences under its title: there are thousands in a site, so they are put together here."""
    page, at, of = share
    told = writer.site.body(page.path).ledger
    head = f'<tr><th scope="rowgroup" colspan="2">{writer.page_link(page.path, codeish(page.title))}</th></tr>\n'
    rows = "".join(
        f"<tr><td>{sentence}</td><td>{lines.of(refs)}</td></tr>\n"
        for sentence, refs in told[at * len(told) // of : (at + 1) * len(told) // of]
    )
    return f"<tbody>\n{head}{rows}</tbody>\n"


class Lines:
    """What stands behind printed numbers, a line a field: a link to its record, and the value it stores."""

    def __init__(self, site: Site) -> None:
        self.lookup = site.lookup
        self._made: dict[tuple[str, ...], str] = {}

    def of(self, refs: list[str]) -> str:
        """The lines of a sentence; a field that it prints twice has one."""
        those = tuple(refs)
        if those not in self._made:
            fields = {f"{one.id}#{one.field_name}": one for one in citations(map(self.lookup.cite, refs))}
            self._made[those] = "<br>".join(self._line(key, one) for key, one in fields.items())
        return self._made[those]

    def _line(self, key: str, cited: Cited) -> str:
        where = _ROOT + links.to_page(links.evidence(cited.id), links.anchor(cited.field_name))
        stored = self.lookup.cite(key if isinstance(cited.field, Quote) else f"{key}|raw")
        return f'<a href="{where}"><code>{key}</code></a> {stored.stamp}'
