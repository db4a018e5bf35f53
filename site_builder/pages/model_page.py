"""`models/<slug>/`: what a reward model prefers, where that forms, what biases it, and what nobody measured.

What takes more room has pages of its own beside it: `inside/`, depth by depth and place by place, and `concepts/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from site_builder import card, figures, model, model_index
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.writer import Writer

QUOTING = True


class _Part(NamedTuple):
    """A page beside a model's own: its folder, title and template, and the instruments any one of which fills it; where
    it names none, it holds what is too long for the model's own page."""

    folder: str
    title: str
    template: str
    description: str
    instruments: tuple[str, ...]


_PARTS = (
    _Part(
        "inside",
        "Depth by depth, place by place",
        "model_inside.html",
        "where its preference forms, what writes it and what causes it",
        ("reward-lens", "attribution", "patching"),
    ),
    _Part(
        "concepts",
        "Concepts",
        "model_concepts.html",
        "the directions that move its reward, and what its head reads",
        ("concepts", "geometry"),
    ),
    _Part(
        "readings",
        "Every reading, in a line",
        "model_readings.html",
        "every instrument that read it, in a line",
        (),
    ),
)


def jobs(site: Site) -> Iterator[Job]:
    for subject in model.models(site):
        yield Job(subject.path, "", partial(_page, site, subject))
        for part in _filled(subject):
            yield Job(f"{subject.path}{part.folder}/", "", partial(_beside, site, subject, part))


def _filled(subject: Subject) -> list[_Part]:
    return [
        part
        for part in _PARTS
        if any(_measured(subject, name) for name in part.instruments) or (not part.instruments and _long(subject))
    ]


def _long(subject: Subject) -> bool:
    """Whether the readings would weigh the model's own page down."""
    return len(model.read(subject)) > model.LINES


def _measured(subject: Subject, name: str) -> bool:
    return name in subject.records and card.state(subject.records[name]) == "m"


def _page(site: Site, subject: Subject) -> tuple[Page, Body]:
    writer = Writer(site, subject.path, quoting=True)
    return writer.render(
        "model.html",
        subject.name,
        section="Models",
        description=f"A look inside {subject.name}: what it prefers, where that forms, what biases it.",
        subject=subject,
        first=model.first(subject),
        kind=model.kind(subject),
        sentences=model.sentences(subject, writer),
        rules=model.rules(subject, writer),
        beside={part.folder: part.title for part in _filled(subject)},
        rows=model.rows(subject, writer) if not _long(subject) else [],
        left_out=model.left_out(subject),
        declined=model.declines(subject, writer),
        comparisons=card.comparisons(subject, writer),
        members=model.members(site, subject),
        model_index=model_index.path(subject.slug),
        measured=partial(_measured, subject),
        drawn=partial(_drawn, writer, subject),
    )


def _beside(site: Site, subject: Subject, part: _Part) -> tuple[Page, Body]:
    writer = Writer(site, f"{subject.path}{part.folder}/", quoting=True)
    return writer.render(
        part.template,
        f"{part.title}, {subject.name}",
        section="Models",
        description=f"{subject.name}: {part.description}.",
        subject=subject,
        part=part,
        rows=model.rows(subject, writer) if part.folder == "readings" else [],
        left_out=model.left_out(subject),
        measured=partial(_measured, subject),
        drawn=partial(_drawn, writer, subject),
    )


def _drawn(writer: Writer, subject: Subject, name: str, instrument: str, needs: str = "", **options: str) -> str:
    """A figure of an instrument, or nothing where it has no measured record, or not the table or field it `needs`."""
    if not _measured(subject, instrument) or name not in figures.registry():
        return ""
    record = subject.records[instrument]
    if needs and needs not in record.evidence.tables and needs not in record.fields:
        return ""
    return str(writer.figure(name, record.id, **options))
