"""`studies/<id>/`: what was asked, what was predicted, what would have refuted it, and what happened.

An outcome has one size, whatever it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import study
from site_builder.context import Body, Job, Page, Site
from site_builder.study import Study
from site_builder.writer import Writer

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    every = study.studies(site)
    for one in every:
        larger = next(
            (other for other in every if other.spec.id == f"{one.spec.id}-at-scale" and not other.newest), None
        )
        beside = f"{larger.freeze.digest if larger else ''} {one.newest}"
        yield Job(one.path, beside, partial(_page, site, one, larger))


def _page(site: Site, one: Study, larger: Study | None) -> tuple[Page, Body]:
    writer = Writer(site, one.path, quoting=True)
    return writer.render(
        "study.html",
        one.spec.title,
        section="Studies",
        description=f"{one.spec.title}: what was predicted beforehand, and what came of it.",
        study=one,
        larger=larger,
        sentence=study.sentence(one, writer),
        hypotheses=study.told(one, writer),
        units=study.units(one, writer),
    )
