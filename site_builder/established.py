"""What works on this site and what is not established, from the registry of instruments and the store."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from lens.reading import Declined, Label, Measured
from site_builder import links, wording
from site_builder.instruments import KINDS, Entry, entries

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site
    from site_builder.writer import Writer

REFERENCE = "docs/instruments/"  # the page that defines each instrument, where a site has it
NAMES = {"graders": "Graders", "models": "Reward models", "runs": "RL runs"}


def referenced(site: Site) -> bool:
    return (site.options.content / f"{REFERENCE.rstrip('/')}.md").is_file()


@dataclass
class Standing:
    """An instrument and what it read here: whether it measured anything, and the first record it declined."""

    entry: Entry
    measured: bool = False
    declined: str = ""
    failed: list[str] = field(default_factory=list)  # scorecards it did not pass


def standings(site: Site, kind: str) -> list[Standing]:
    """Every instrument of a kind, in card order."""
    found = []
    for entry in entries(site, kind):
        one = Standing(entry)
        for subject in site.subjects.values():
            record = subject.records.get(entry.instrument.name)
            if subject.kind == kind and record is not None:
                _count(one, record)
        one.failed = [id_ for id_ in entry.scorecards if not _passed(site, id_)]
        found.append(one)
    return found


def _count(standing: Standing, record: Record) -> None:
    reading = record.evidence.reading
    if isinstance(reading, Measured):
        standing.measured = True
    elif isinstance(reading, Declined) and reading.reason != "not_applicable" and not standing.declined:
        standing.declined = record.id


def _passed(site: Site, id_: str) -> bool:
    value = site.lookup.field(id_, "passed")
    return isinstance(value, Label) and value.value == "yes"


def works(writer: Writer) -> Markup:
    """A line a kind of subject: the instruments that measured something here."""
    lines = []
    for kind in KINDS:
        able = [_words(one.entry) for one in standings(writer.site, kind) if one.measured]
        if able:
            name = writer.page_link(REFERENCE, NAMES[kind]) if referenced(writer.site) else NAMES[kind]
            lines.append(Markup("<p><b>{}:</b> {}.</p>\n").format(name, ", ".join(able)))
    return Markup("").join(lines)


def unestablished(writer: Writer) -> Markup:
    """Instruments that did not pass their exam, and those that read nothing on this site, with why."""
    failed, silent = [], []
    for kind in KINDS:
        for one in standings(writer.site, kind):
            name = _name(writer, one.entry)
            if one.failed:
                cards = (writer.page_link(links.evidence(id_), id_.rpartition("~")[2]) for id_ in one.failed)
                failed.append(Markup("{} on {}").format(name, Markup(" and ").join(cards)))
            if not one.measured and one.declined:
                silent.append(Markup("{} {}").format(name, _plate(writer, one.declined)))
    made = Markup("")
    if failed:
        made += Markup("<p><b>Did not pass on planted subjects.</b> {}.</p>\n").format(Markup(", ").join(failed))
    if silent:
        made += Markup('<p><b>Read nothing here.</b></p>\n<ul class="plain">{}</ul>\n').format(
            Markup("").join(Markup("<li>{}</li>").format(one) for one in silent)
        )
    return made


def _plate(writer: Writer, id_: str) -> Markup:
    """What is missing, linked to the record that says why and what would mend it."""
    record = writer.lookup.record(id_)
    reading = record.evidence.reading
    assert isinstance(reading, Declined)
    words = wording.needs(reading.reason, reading.needs, record.evidence.subject.kind)
    href = writer.root + links.to_page(links.evidence(id_))
    return Markup('<a class="plate" href="{}"><span>{}</span></a>').format(href, words)


def _words(entry: Entry) -> str:
    title = wording.of(entry.instrument.name).title
    return title if title[:2].isupper() else title[:1].lower() + title[1:]


def _name(writer: Writer, entry: Entry) -> Markup:
    text = _words(entry)
    return writer.page_link(REFERENCE, text, entry.anchor) if referenced(writer.site) else Markup(escape(text))
