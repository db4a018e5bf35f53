"""`public-figures/`: every figure that others published of a subject here, as they printed it, and ours beside it.

One page while it is short, else one a kind of subject; none where nothing was reported.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import NamedTuple

from markupsafe import Markup

from lens.reading import Quote
from site_builder import beside, links, printed, wording
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.printed import Figure
from site_builder.writer import Writer

QUOTING = True
KINDS = ("graders", "models", "runs", "project")
MOST = 300  # figures on one page


class Row(NamedTuple):
    """One figure, or the parts of one that stand alike: name and unit, prints, state, ours, and why they differ."""

    name: str
    unit: Markup
    prints: list[tuple[str, Markup]]  # the part, and what each source prints of it
    state: str
    disagree: bool
    ours: Markup | None
    why: list[Markup]


class Group(NamedTuple):
    """The figures of one subject, and the commands that would measure what was declined of them."""

    subject: Subject
    path: str
    rows: list[Row]
    remedies: list[Markup]


def jobs(site: Site) -> Iterator[Job]:
    for path, kinds in _paths(site).items():
        yield Job(path, "", partial(_page, site, path, kinds))


def _paths(site: Site) -> dict[str, list[str]]:
    """The pages and the kinds of subject on each."""
    figures = printed.figures(site.lookup)
    kinds = [kind for kind in KINDS if any(one.kind == kind for one in figures)]
    if len(figures) <= MOST:
        return {"public-figures/": kinds} if kinds else {}
    return {"public-figures/" if kind == kinds[0] else f"public-figures/{kind}/": [kind] for kind in kinds}


def _page(site: Site, path: str, kinds: list[str]) -> tuple[Page, Body]:
    writer = Writer(site, path, quoting=True)
    figures = {kind: printed.figures(site.lookup, kind) for kind in kinds}
    return writer.render(
        "public_figures.html",
        "Public figures" if len(kinds) > 1 else f"Public figures of {kinds[0]}",
        section="Public figures",
        description="Every figure that others published of a subject here, as they printed it, with ours beside it.",
        kinds={kind: _groups(writer, found) for kind, found in figures.items()},
        others=[(there, kind) for there, (kind, *_) in _paths(site).items() if there != path],
        sources=_sources(writer, [one for found in figures.values() for one in found]),
    )


def _groups(writer: Writer, figures: list[Figure]) -> list[Group]:
    made = []
    for key, some in groupby(figures, key=lambda one: one.subject):
        subject, found = writer.site.subjects[key], list(some)
        path = subject.path if subject.audited and subject.records else subject.evidence_path
        rows = [_row(writer, list(alike)) for _, alike in groupby(found, key=partial(_alike, writer))]
        made.append(Group(subject, path, rows, _remedies(writer, found)))
    return made


def _alike(writer: Writer, one: Figure) -> tuple[object, ...]:
    """What figures share that stand in one row: parts of one thing, of which the same is said."""
    family, dot, _ = one.name.partition(".")
    told = tuple(writer.lookup.said(key) for key in _notes(writer, one))
    return (family if dot else one.name, bool(dot), _unit(writer, one), one.state, one.odd, one.pieces, told)


def _row(writer: Writer, alike: list[Figure]) -> Row:
    one = alike[0]
    name = wording.plain(one.name.partition(".")[0]) + ", by part" if len(alike) > 1 else wording.plain(one.name)
    unit = _unit(writer, one).strip("-")
    return Row(
        name,
        writer.said(f"{one.refs[0]}@unit") if unit and unit not in name.split() else Markup(""),
        _prints(writer, alike),
        printed.STATES[one.state],
        one.disagree,
        beside.shown(writer, one.pieces, opens=False),
        [writer.said(key) for key in _notes(writer, one)],
    )


def _unit(writer: Writer, one: Figure) -> str:
    return writer.lookup.said(f"{one.refs[0]}@unit")


def _prints(writer: Writer, alike: list[Figure]) -> list[tuple[str, Markup]]:
    """Every print in quotation marks and its source, which is named where the next print is another's."""
    refs = [(one, ref) for one in alike for ref in one.refs]
    made: dict[str, list[Markup]] = {}
    for at, (one, ref) in enumerate(refs):
        part = wording.plain(one.name.partition(".")[2]) if len(alike) > 1 else ""
        id_ = ref.partition("#")[0]
        following = refs[at + 1][1].partition("#")[0] if at + 1 < len(refs) else ""
        text = Markup('<span class="rep">{}</span>').format(writer.plain(ref))
        made.setdefault(part, []).append(text if id_ == following else Markup("{} {}").format(text, _name(writer, ref)))
    return [(part, Markup("<br>" if not part else " ").join(some)) for part, some in made.items()]


def _name(writer: Writer, ref: str) -> Markup:
    """A source's short name, which leads to the record of what it printed."""
    id_, _, field = ref.partition("#")
    short = "varied.source" if "source" in writer.lookup.record(id_).evidence.varied else "citation"
    href = writer.root + links.to_page(links.evidence(id_), links.anchor(field))
    return Markup('<small class="src"><a href="{}">{}</a></small>').format(href, writer.said(f"{id_}@{short}"))


def _notes(writer: Writer, one: Figure) -> list[str]:
    """What the sources' figures are of, and what is said of their disagreement; nothing is said twice."""
    told: dict[str, str] = {}
    for ref in one.refs:
        field = writer.lookup.field(*ref.split("#", 1))
        if isinstance(field, Quote) and field.note:
            told.setdefault(field.note, f"{ref}@note")
    for id_ in (ref.partition("#")[0] for ref in one.odd):
        if differs := writer.lookup.record(id_).evidence.differs:
            told.setdefault(differs, f"{id_}@differs")
    return list(told.values())


def _remedies(writer: Writer, figures: list[Figure]) -> list[Markup]:
    """The commands that would measure what was declined, each once."""
    keys = [piece.declined for one in figures for piece in one.pieces if piece.declined]
    once = {writer.lookup.said(f"{key}@remedy"): key for key in reversed(keys)}
    return [writer.said(f"{key}@remedy", "code") for key in reversed(once.values())]


def _sources(writer: Writer, figures: list[Figure]) -> list[tuple[Markup, Markup, Markup]]:
    """Each source once: its short name, what it is and where in it the figures stand."""
    ids = sorted({ref.partition("#")[0] for one in figures for ref in one.refs})
    ids.sort(key=lambda id_: id_.partition("~")[2])
    once = {writer.lookup.record(id_).evidence.varied.get("source", id_): id_ for id_ in reversed(ids)}
    return [
        (writer.said(f"{id_}@varied.source"), writer.said(f"{id_}@citation"), writer.said(f"{id_}@locator"))
        for name, id_ in reversed(once.items())
        if name != id_
    ]
