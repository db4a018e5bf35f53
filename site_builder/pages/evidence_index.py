"""`evidence/` and `evidence/<kind>/<slug>/`: every record there is, by subject."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from site_builder import wording
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    yield Job("evidence/", "", partial(_all, site))
    for subject in site.subjects.values():
        if len(subject.all) > 1:
            yield Job(subject.evidence_path, "", partial(_one, site, subject))


def _all(site: Site) -> tuple[Page, Body]:
    kinds: dict[str, list[Subject]] = {}
    for subject in site.subjects.values():
        kinds.setdefault(subject.kind, []).append(subject)
    return Writer(site, "evidence/").render(
        "evidence_index.html",
        "Evidence",
        section="Evidence",
        kinds=kinds,
        description="Every record of this site, by subject.",
    )


def _one(site: Site, subject: Subject) -> tuple[Page, Body]:
    writer = Writer(site, subject.evidence_path)
    records = sorted(
        subject.all,
        key=lambda record: (wording.of(record.evidence.instrument).order, record.evidence.instrument, record.id),
    )
    return writer.render(
        "evidence_subject.html",
        subject.name,
        section="Evidence",
        subject=subject,
        records=records,
        description=f"Every record about {subject.name}.",
    )
