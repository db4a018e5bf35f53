"""`public-figures/`: every figure that others published of a subject here, as they printed it, and ours beside it;
a page a kind of subject, none where nothing was reported."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from lens.reading import Quote
from site_builder import beside, links, printed, wording
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.printed import Figure
from site_builder.writer import Writer

QUOTING = True
KINDS = ("graders", "models", "runs", "project")


class Row(NamedTuple):
    """One figure: its name and unit, every print of it, how it stands, ours, and why they differ."""

    name: str
    unit: Markup
    prints: list[Markup]
    state: str
    ours: Markup | None
    why: list[Markup]


class Group(NamedTuple):
    """The figures of one subject, and the commands that would measure what was declined of them."""

    subject: Subject
    path: str
    rows: list[Row]
    remedies: list[Markup]


def jobs(site: Site) -> Iterator[Job]:
    for kind, path in _paths(site).items():
        yield Job(path, "", partial(_page, site, kind, path))


def _paths(site: Site) -> dict[str, str]:
    """A page a kind that something was reported of; the first of them is the list's own address."""
    there = {one.kind for one in site.subjects.values() if beside.reported(site.lookup, f"{one.kind}/{one.slug}")}
    kinds = [kind for kind in KINDS if kind in there]
    return {kind: "public-figures/" if kind == kinds[0] else f"public-figures/{kind}/" for kind in kinds}


def _page(site: Site, kind: str, path: str) -> tuple[Page, Body]:
    writer = Writer(site, path, quoting=True)
    found: dict[str, list[Figure]] = {}
    for one in printed.figures(site.lookup, kind):
        found.setdefault(one.subject, []).append(one)
    groups = [_group(writer, site.subjects[subject], figures) for subject, figures in found.items()]
    return writer.render(
        "public_figures.html",
        f"Public figures of {kind}",
        section="Public figures",
        description=f"Every figure of {kind} that others published, as they printed it, with ours beside it.",
        kind=kind,
        first=path == "public-figures/",
        others=[(other, there) for other, there in _paths(site).items() if other != kind],
        groups=groups,
    )


def _group(writer: Writer, subject: Subject, figures: list[Figure]) -> Group:
    declined = [piece.declined for one in figures for piece in one.pieces if piece.declined]
    remedies = {writer.lookup.said(f"{key}@remedy"): key for key in declined}
    told = [writer.said(f"{key}@remedy", "code") for key in remedies.values()]
    path = subject.path if subject.audited and subject.records else subject.evidence_path
    return Group(subject, path, [_row(writer, one) for one in figures], told)


def _row(writer: Writer, one: Figure) -> Row:
    unit = writer.lookup.said(f"{one.refs[0]}@unit")
    return Row(
        wording.plain(one.name),
        writer.said(f"{one.refs[0]}@unit") if unit.strip("-") else Markup(""),
        [_print(writer, ref) for ref in one.refs],
        printed.STATES[one.state] + (", sources disagree" if one.disagree else ""),
        beside.shown(writer, one.pieces, opens=False),
        _why(writer, one),
    )


def _print(writer: Writer, ref: str) -> Markup:
    """The figure in quotation marks, and its source, which leads to the record."""
    id_, _, name = ref.partition("#")
    href = writer.root + links.to_page(links.evidence(id_), links.anchor(name))
    return Markup('{} <small class="src"><a href="{}">{}</a></small>').format(
        writer.plain(ref), href, writer.said(f"{id_}@citation")
    )


def _why(writer: Writer, one: Figure) -> list[Markup]:
    """What the sources' figures are of, and what is said of their disagreement; nothing is said twice."""
    told: dict[str, str] = {}
    for ref in one.refs:
        field = writer.lookup.field(*ref.split("#", 1))
        if isinstance(field, Quote) and field.note:
            told.setdefault(field.note, f"{ref}@note")
    for ref in one.refs if one.disagree else ():
        if differs := writer.lookup.record(ref.partition("#")[0]).evidence.differs:
            told.setdefault(differs, f"{ref.partition('#')[0]}@differs")
    return [writer.said(key) for key in told.values()]
