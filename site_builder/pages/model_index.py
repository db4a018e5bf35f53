"""`models/`: one row a reward model."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import model
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    yield Job("models/", "", partial(_page, site))


def _page(site: Site) -> tuple[Page, Body]:
    writer = Writer(site, "models/", quoting=True)
    return writer.render(
        "models.html",
        "Models",
        section="Models",
        description="What each reward model prefers, how surely, and what moves it that shouldn’t.",
        models=model.summaries(site, writer),
    )
