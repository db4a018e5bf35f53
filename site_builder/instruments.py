"""The instruments reference: what the registry knows of each, with its scorecards and readings from the store."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from markupsafe import Markup

from lens.instrument import Instrument, registry
from lens.reading import Quantity
from site_builder import links, wording
from site_builder.wording import Wording

if TYPE_CHECKING:
    from site_builder.context import Site
    from site_builder.writer import Writer

KINDS = ("graders", "models", "runs")


@dataclass(frozen=True)
class Entry:
    """One instrument: as registered, in words, and the ids of its scorecards."""

    instrument: Instrument
    words: Wording
    needs: str
    scorecards: tuple[str, ...]

    @property
    def anchor(self) -> str:
        return f"{self.instrument.subjects}-{self.instrument.name}"


def entries(site: Site, subjects: str) -> list[Entry]:
    """Every instrument for a kind of subject, in card order. Raises ModuleNotFoundError for a kind without any."""
    return [
        Entry(one, wording.of(name), wording.asked(one.needs.grants, subjects), _scorecards(site, one))
        for name, one in registry(subjects).items()
    ]


def _scorecards(site: Site, instrument: Instrument) -> tuple[str, ...]:
    """Scorecards of this version: `project/INSTRUMENT/scorecard~FAMILY`."""
    found = site.subjects.get(f"project/{instrument.name}")
    if found is None:
        return ()
    wanted = {"instrument": instrument.name, "version": instrument.version, "subjects": instrument.subjects}
    return tuple(
        sorted(
            record.id
            for some in found.variants.values()
            for name, record in some.items()
            if name == "scorecard" and wanted.items() <= record.evidence.parameters.items()
        )
    )


def render(subjects: str, writer: Writer) -> Markup:
    """The reference of one kind of subject."""
    template = writer.site.env.get_template("instruments.html")
    return Markup(template.render(w=writer, entries=entries(writer.site, subjects), examined=partial(_card, writer)))


def _card(writer: Writer, id_: str) -> Markup:
    """A scorecard in a few words: whether it passed, and the smallest dose that is found. Its page says the rest: a
    sheet for each would weigh this one down."""
    name = writer.page_link(links.evidence(id_), id_.rpartition("~")[2])
    smallest = "no dose is found reliably"
    if isinstance(writer.lookup.field(id_, "smallest-dose"), Quantity):
        smallest = Markup("found from {} on").format(writer.plain(f"{id_}#smallest-dose|unit"))
    return Markup("{}, passed: {}, {}").format(name, writer.plain(f"{id_}#passed"), smallest)
