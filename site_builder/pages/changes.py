"""`changes/`: what was added, measured again or withdrawn since each publication, with an Atom feed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import published
from site_builder.context import Body, Job, Page, Site
from site_builder.pages import compare_builds
from site_builder.prose import day
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    yield Job("changes/", "", partial(_page, site))


def _page(site: Site) -> tuple[Page, Body]:
    past = published.read(site.options.data)
    now = published.current(site, {})
    pending = not past or past[-1].records != now.records
    found = [one for one in published.changes([*past, now] if pending else past) if one.any]
    writer = Writer(site, "changes/")
    feed = site.env.get_template("feed.xml").render(site=site, changes=found, day=day)
    writer.files["changes/feed.xml"] = feed.encode()
    return writer.render(
        "changes.html",
        "Changes",
        description="What was added, measured again or withdrawn since each publication.",
        changes=[(day(one.time), pending and at == 0, one) for at, one in enumerate(found)],
        live=set(site.store.ids()),
        builds=compare_builds.PATH if compare_builds.two(site) else "",
    )
