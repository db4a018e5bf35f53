"""`capabilities/`: which instrument reads which grader, at which access, and what each is for."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import card, wording
from site_builder.context import Body, Job, Page, Site
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    yield Job("capabilities/", "", partial(_page, site))


def _page(site: Site) -> tuple[Page, Body]:
    names = {name for subject in site.graders for name in card.instruments(subject)}
    ordered = sorted(names, key=lambda name: (wording.of(name).order, name))
    rows = []
    for name in ordered:
        marks = [
            (subject, _state(subject.records, name), _state(subject.variants.get(card.LOG, {}), name))
            for subject in site.graders
        ]
        rows.append((wording.of(name), marks))
    return Writer(site, "capabilities/").render(
        "capabilities.html",
        "What can be read, and by whom",
        description="Which instrument reads which grader with its source, and with the training log alone.",
        rows=rows,
    )


def _state(records: dict, name: str) -> str:  # type: ignore[type-arg]
    return card.state(records[name]) if name in records else ""
