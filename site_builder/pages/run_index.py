"""`runs/`: one row a run of RL."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import run
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    yield Job("runs/", "", partial(_page, site))


def _page(site: Site) -> tuple[Page, Body]:
    writer = Writer(site, "runs/", quoting=True)
    return writer.render(
        "runs.html",
        "Runs",
        section="Runs",
        description="What the record of each run of RL holds, whether it replays, and what could have warned.",
        runs=run.summaries(site, writer),
    )
