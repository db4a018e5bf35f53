"""`compare/builds/`: the last published build and this one side by side, record by record where a reading changed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from markupsafe import Markup

from lens.errors import LensError
from lens.reading import Declined, Quantity
from site_builder import links, naming, published, wording
from site_builder.context import Body, Job, Page, Site
from site_builder.env import codeish
from site_builder.lookup import SUPERSEDED
from site_builder.prose import day
from site_builder.writer import Writer

QUOTING = False
PATH = "compare/builds/"


def jobs(site: Site) -> Iterator[Job]:
    if found := two(site):
        before, now = found
        yield Job(PATH, repr((before.time, sorted(before.records.items()))), partial(_page, site, before, now))


def two(site: Site) -> tuple[published.Publication, published.Publication] | None:
    """The two newest states that differ in a reading both hold: publications, and what is not published yet."""
    states = [*published.read(site.options.data), published.current(site, {})]
    for before, now in zip(reversed(states[:-1]), reversed(states[1:]), strict=True):
        if _changed(before, now):
            return before, now
    return None


def _changed(before: published.Publication, now: published.Publication) -> list[str]:
    return sorted(id_ for id_ in before.records.keys() & now.records.keys() if before.records[id_] != now.records[id_])


def _page(site: Site, before: published.Publication, now: published.Publication) -> tuple[Page, Body]:
    writer = Writer(site, PATH)
    rows = []
    for id_ in _changed(before, now):
        evidence = site.lookup.record(id_).evidence if site.store.has(id_) else None
        if evidence is None:
            continue
        title = Markup("{}, {}").format(wording.of(evidence.instrument).title, codeish(naming.of(evidence.subject)))
        kept = f"{SUPERSEDED}{before.records[id_]}/{evidence.instrument}"
        rows.append((writer.page_link(links.evidence(id_), title), _side(writer, kept), _side(writer, id_)))
    return writer.render(
        "compare_builds.html",
        "Two builds side by side",
        description="The last published build and the one after it, reading by reading where they differ.",
        rows=rows,
        days=(day(before.time), day(now.time)),
    )


def _side(writer: Writer, id_: str) -> Markup:
    """A record's headline with its interval; in words where it declined, or is kept here no more."""
    try:
        name = writer.lookup.headline(id_)
        field = writer.lookup.field(id_, name)
    except LensError:
        return Markup('<span class="quiet">not kept</span>')
    if isinstance(field, Declined):
        return Markup('<span class="plate"><span>{}</span></span>').format(
            wording.needs(field.reason, field.needs, id_.partition("/")[0])
        )
    made = writer.data(writer.lookup.cite(f"{id_}#{name}"))
    if isinstance(field, Quantity) and field.interval and field.interval.low < field.interval.high:
        mode = "pctinterval" if field.of or field.kind == "proportion" else "interval"
        made += Markup('<br><span class="quiet">{}</span>').format(
            writer.data(writer.lookup.cite(f"{id_}#{name}|{mode}"))
        )
    return made
