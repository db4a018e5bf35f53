"""The whole build: open the store, write the pages, lay them out, read them back, and only then put them in place.

    open      every record's and table's bytes checked; conflicts and stale citations are errors
    write     content pages and cards first, since the others (permalinks, ledger, search) list what those quote
    lay out   head, navigation, and a sheet for each number a page shows
    check     links lead somewhere, every digit is looked up again by separate code
    place     what changed replaces what was there; on any error before that the old site stays as it is

A page whose inputs did not change since the last build comes from the cache, and its file is the one already there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lens.errors import LensError, StoreError, UsageError
from measure.store import Store
from site_builder import assets, data_files, ledger_files, links, pages
from site_builder.cache import Cache
from site_builder.check_links import broken
from site_builder.context import Job, Options, Page, Site, Words
from site_builder.env import environment
from site_builder.layout import Layout
from site_builder.lookup import Lookup, behind
from site_builder.output import Output
from site_builder.reading_back import ReadBack
from site_builder.tables import Tables


class BuildFailed(LensError):
    """The build found errors; the site that was there is untouched."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


@dataclass
class Report:
    """What a build did."""

    out: Path
    pages: int = 0
    written: int = 0
    numbers: int = 0


def build(options: Options) -> Report:
    """Build the site. Raises BuildFailed with every problem found, StoreError for a damaged store, UsageError where
    the disk is full or may not be written."""
    try:
        site = open_site(options)
        cache = Cache.open(options, site)
        output = Output(options.out, cache.placed)
        try:
            with site.store.reading():
                report = _write(site, cache, output)
            output.place()
        finally:
            output.discard()
        cache.save(output.placed)
    except OSError as error:
        remedy = "free some space, or give --out a folder that you may write"
        raise UsageError(
            f"{error.filename or options.out}: {error.strerror}: no site was made", remedy=remedy
        ) from error
    return report


def open_site(options: Options) -> Site:
    """The store checked, the templates loaded, nothing written."""
    store = Store.open(options.data)
    if findings := store.check_file_digests():
        raise StoreError("\n".join(str(one) for one in findings), remedy="lens evidence verify")
    lookup = Lookup(store, Tables(store, options.cache / "tables"))
    return Site(options, Words.read(options.content), store, lookup, environment())


def _write(site: Site, cache: Cache, output: Output) -> Report:
    site.body, site.key = cache.body, lambda path: cache.kept(path).key
    site.pages = _made(pages.quoting(site), cache)
    for page in site.pages:
        for key in dict.fromkeys(quoted.key for quoted in page.quotes):
            site.quoted_on.setdefault(key, []).append((page.path, page.title))
    _refuse(_unfit_citations(site))
    everything = site.pages + _made(pages.listing(site), cache)

    back = ReadBack(site.lookup)
    layout = Layout(site, cache, output, back.add)
    for page in everything:
        layout.write(page)
    back.finish()
    _refuse(back.findings)
    kept = {page.path: cache.kept(page.path) for page in everything}
    for path, page_kept in kept.items():
        if seen := back.seen.get(links.to_page(path)):
            page_kept.digits, page_kept.allowed = seen
    assets.write(output, plotly=any(page.figures for page in everything))
    data_files.write(site, output)
    ledger_files.write(site, kept.values(), output)
    _sitemap(site, everything, output)
    _refuse(broken({path: (one.anchors, one.links) for path, one in kept.items()}, output))
    return Report(site.options.out, len(everything), layout.written, sum(page.claims for page in everything))


def _made(jobs: Iterable[Job], cache: Cache) -> list[Page]:
    """Every page of some jobs, from the cache where nothing changed; all problems of all pages at once."""
    made: list[Page] = []
    problems: list[str] = []
    for job in jobs:
        try:
            made.append(cache.page(job))
        except StoreError:
            raise
        except LensError as error:
            problems += getattr(error, "problems", [str(error)])
    _refuse(problems)
    return made


def _unfit_citations(site: Site) -> list[str]:
    """What pages quote that is stale or in conflict."""
    conflicts = {id_: str(one) for one in site.store.conflicts() for id_ in (one.left, one.right)}
    problems = []
    for id_ in sorted({id_ for key in site.quoted_on for id_ in behind(key)}):
        if id_ in conflicts:
            problems.append(f"{id_} is quoted and in conflict: {conflicts[id_]}\n  try: lens evidence verify")
        stale = site.store.staleness(id_)
        if stale.state == "stale":
            problems.append(f"{id_} is quoted and stale: {'; '.join(stale.why)}\n  try: lens measure --stale")
    return problems


def _sitemap(site: Site, everything: list[Page], output: Output) -> None:
    paths = sorted(page.path for page in everything if page.listed)
    text = site.env.get_template("sitemap.xml").render(url=site.words.url, paths=paths)
    output.put("sitemap.xml", text.encode())


def _refuse(problems: list[str]) -> None:
    if problems:
        raise BuildFailed(problems)


__all__ = ["BuildFailed", "Options", "Report", "build", "open_site"]
