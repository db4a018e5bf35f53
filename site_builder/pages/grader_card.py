"""`graders/<slug>/`: what a grader pays for that it shouldn't, what it refuses, what nobody measured."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from lens.about import about
from site_builder import blocks, card, figures
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.pages.grader_lines import own_page
from site_builder.writer import Writer

QUOTING = True


def jobs(site: Site) -> Iterator[Job]:
    for subject in site.graders:
        yield Job(subject.path, "", partial(_page, site, subject))


def _page(site: Site, subject: Subject) -> tuple[Page, Body]:
    writer = Writer(site, subject.path, quoting=True)
    first = next(
        (subject.records[name] for name in card.instruments(subject) if name in subject.records), subject.all[0]
    )
    sentences = card.sentences(subject, writer)
    return writer.render(
        "card.html",
        subject.name,
        section="Graders",
        description=f"An audit of {subject.name}: what it pays for, what it refuses, how sure that is.",
        subject=subject,
        first=first,
        judges=about(subject.kind, subject.slug),
        sentences=sentences,
        pays=card.pays(subject, writer),
        refuses=card.refuses(subject, writer),
        drawn=lambda name, instrument, **options: _drawn(writer, subject, name, instrument, **options),
        long_lines=own_page(site, subject),
        rows=card.rows(subject, writer),
        declined=[blocks.decline_of(writer, group) for group in card.declines(subject)],
        comparisons=card.comparisons(subject, writer),
    )


def _drawn(writer: Writer, subject: Subject, name: str, instrument: str, **options: str) -> str:
    """A figure of an instrument, or nothing where it has no measured record or there is no such figure."""
    record = subject.records.get(instrument)
    if record is None or card.state(record) != "m" or name not in figures.registry():
        return ""
    return str(writer.figure(name, record.id, **options))
