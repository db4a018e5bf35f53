"""`runs/<slug>/`: what a run's record holds, what selection and the update did, and when a warning came.

What takes more room has pages of its own beside it: whom another reward would have pushed, the
update and the series step by step, and every reading in a line.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from site_builder import card, figures, model, run
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.writer import Writer

QUOTING = True


class _Part(NamedTuple):
    """A page beside a run's own: its folder, title and template, and the instruments any one of which fills it; where
    it names none, it holds what is too long for the run's own page."""

    folder: str
    title: str
    template: str
    description: str
    instruments: tuple[str, ...]


_PARTS = (
    _Part(
        "another-reward",
        "Had the reward been another",
        "run_another.html",
        "whom its update would have pushed under a reward with one leaf changed",
        ("counterfactual",),
    ),
    _Part(
        "update",
        "The update, step by step",
        "run_update.html",
        "each step’s cancellation against unrelated gradients, and its gradient’s norm",
        ("update-partition", "gradient-norm"),
    ),
    _Part(
        "series",
        "Step by step",
        "run_series.html",
        "its series by step, when each moved, and what choosing among samples would have gained",
        ("series", "transition", "markers", "best-of-n"),
    ),
    _Part(
        "readings",
        "Every reading, in a line",
        "run_readings.html",
        "every instrument that read it, in a line",
        (),
    ),
)
_IN_PLACE = ("replay", "update-partition", "policy-response")  # declined as a whole, they say so where they would stand


def jobs(site: Site) -> Iterator[Job]:
    for subject in run.runs(site):
        yield Job(subject.path, "", partial(_page, site, subject))
        for part in _filled(subject):
            yield Job(f"{subject.path}{part.folder}/", "", partial(_beside, site, subject, part))


def _filled(subject: Subject) -> list[_Part]:
    return [
        part
        for part in _PARTS
        if any(run.measured(subject, name) for name in part.instruments) or (not part.instruments and _long(subject))
    ]


def _long(subject: Subject) -> bool:
    """Whether the readings would weigh the run's own page down."""
    return len(model.read(subject)) > run.LINES


def _page(site: Site, subject: Subject) -> tuple[Page, Body]:
    writer = Writer(site, subject.path, quoting=True)
    return writer.render(
        "run.html",
        subject.name,
        section="Runs",
        description=f"The run {subject.name}: what its record holds, what its update kept, and when a warning came.",
        subject=subject,
        first=run.first(subject),
        sentences=run.sentences(subject, writer),
        findings=run.findings(subject, writer),
        beside={part.folder: part.title for part in _filled(subject)},
        rows=model.rows(subject, writer) if not _long(subject) else [],
        left_out=model.left_out(subject),
        declined=run.declines(subject, writer, _IN_PLACE),
        comparisons=card.comparisons(subject, writer),
        measured=partial(run.measured, subject),
        lines=partial(run.lines, subject, writer),
        boxes=partial(run.boxes, subject, writer),
        drawn=partial(_drawn, writer, subject),
    )


def _beside(site: Site, subject: Subject, part: _Part) -> tuple[Page, Body]:
    writer = Writer(site, f"{subject.path}{part.folder}/", quoting=True)
    return writer.render(
        part.template,
        f"{part.title}, {subject.name}",
        section="Runs",
        description=f"{subject.name}: {part.description}.",
        subject=subject,
        part=part,
        rows=model.rows(subject, writer) if part.folder == "readings" else [],
        left_out=model.left_out(subject),
        lines=partial(run.lines, subject, writer),
        drawn=partial(_drawn, writer, subject),
    )


def _drawn(writer: Writer, subject: Subject, name: str, instrument: str = "", needs: str = "", **options: str) -> str:
    """A figure of an instrument, or nothing where it has no measured record, or not the table or field it `needs`."""
    instrument = instrument or name
    if not run.measured(subject, instrument) or name not in figures.registry():
        return ""
    record = subject.records[instrument]
    if needs and needs not in record.evidence.tables and needs not in record.fields:
        return ""
    return str(writer.figure(name, record.id, **options))
