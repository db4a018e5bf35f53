"""The pages somebody wrote: every Markdown file under `content/`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import markdown
from site_builder.context import Job, Site
from site_builder.established import referenced

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    linked = "linked" if referenced(site) else ""
    for source in markdown.sources(site.options.content):
        if not source.path.startswith("cards/"):
            yield Job(source.path, source.text + linked, partial(markdown.page, site, source))
