"""`graders/<slug>/lines/`: the lines of a grader too long to stand on its card, with what no answer ever ran."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.writer import Writer

QUOTING = True
LINES = 120  # a card draws no more


def jobs(site: Site) -> Iterator[Job]:
    for subject in site.graders:
        if own_page(site, subject):
            yield Job(f"{subject.path}lines/", "", partial(_page, site, subject))


def own_page(site: Site, subject: Subject) -> bool:
    """Whether the lines of this grader have a page of their own."""
    record = subject.records.get("branch-coverage")
    if record is None or "lines" not in record.evidence.tables:
        return False
    return len(site.lookup.table(record.id, "lines")["line"]) > LINES


def _page(site: Site, subject: Subject) -> tuple[Page, Body]:
    return Writer(site, f"{subject.path}lines/", quoting=True).render(
        "lines.html",
        f"{subject.name}: lines",
        section="Graders",
        description=f"The lines and branches of {subject.name} that its test answers never ran.",
        subject=subject,
        record=subject.records["branch-coverage"],
    )
