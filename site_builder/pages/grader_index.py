"""`graders/`: one row a grader."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import card
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    yield Job("graders/", "", partial(_page, site))


def _page(site: Site) -> tuple[Page, Body]:
    writer = Writer(site, "graders/", quoting=True)
    return writer.render(
        "graders.html",
        "Graders",
        section="Graders",
        description="What each audited grader pays for and refuses that it shouldn’t, and what declined.",
        graders=card.summaries(site, writer),
        brief=False,
    )
