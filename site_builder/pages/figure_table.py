"""`figures/<place>/table/`: the table of a figure that is too long to stand under it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from markupsafe import Markup

from site_builder import links
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    seen = set()
    for page in site.pages:
        for slug, title in page.tables:
            if slug not in seen:
                seen.add(slug)
                yield Job(links.figure_table(slug), site.key(page.path), partial(_page, site, page, slug, title))


def _page(site: Site, of: Page, slug: str, title: str) -> tuple[Page, Body]:
    path = links.figure_table(slug)
    table = site.body(of.path).tables[slug].replace(f'href="{links.root(of.path)}', f'href="{links.root(path)}')
    return Writer(site, path).render(
        "figure_table.html",
        f"Table: {title}",
        section=of.section,
        description=title,
        of=of,
        heading=title,
        table=Markup(table),
    )
