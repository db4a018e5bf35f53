"""`studies/`: one row a study, with its class and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import study
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    yield Job("studies/", "", partial(_page, site))


def _page(site: Site) -> tuple[Page, Body]:
    writer = Writer(site, "studies/", quoting=True)
    every = study.studies(site)
    found = [(one, study.sentence(one, writer), study.told(one, writer)) for one in every if one.waiting is None]
    return writer.render(
        "studies.html",
        "Studies",
        section="Studies",
        description="Predictions frozen before their subjects existed, and what came of each.",
        studies=found,
        waiting=[one for one in every if one.waiting is not None and not one.newest],
    )
