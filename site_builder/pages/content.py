"""The pages somebody wrote: every Markdown file under `content/`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import markdown
from site_builder.context import Job, Site

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    for source in markdown.sources(site.options.content):
        if not source.path.startswith("cards/"):
            yield Job(source.path, source.text, partial(markdown.page, site, source))
