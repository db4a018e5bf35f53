"""`evidence/<id>/`: a record's permalink, with everything it says and every page that quotes it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from lens.reading import Declined, Measured, Quantity, Quote, Reported
from measure.store import Record
from site_builder import blocks, cite, links, naming, scorecard, wording
from site_builder.context import Body, Job, Page, Site
from site_builder.lookup import behind
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    quoting: dict[str, dict[str, str]] = {}
    for key, found in site.quoted_on.items():
        for id_ in behind(key):
            quoting.setdefault(id_, {}).update(found)
    for id_ in site.store.ids():
        pages = quoting.get(id_, {})
        yield Job(links.evidence(id_), repr(pages), partial(_page, site, id_, pages))


def _page(site: Site, id_: str, pages: dict[str, str]) -> tuple[Page, Body]:
    writer = Writer(site, links.evidence(id_))
    record = site.lookup.record(id_)
    evidence = record.evidence
    words = wording.of(evidence.instrument)
    headline = site.lookup.headline(id_)
    examined = scorecard.section(writer, record)
    title = scorecard.title(record) if examined else f"{words.title}, {naming.of(evidence.subject)}"
    description = (
        f"{words.title} of {naming.of(evidence.subject)}: value, interval, access, source and history of one record."
    )
    writer.jsonld = _dataset(site, record, title, description)
    return writer.render(
        "evidence.html",
        title,
        section="Evidence",
        description=description,
        record=record,
        evidence=evidence,
        name=naming.of(evidence.subject),
        subject=site.subjects[f"{evidence.subject.kind}/{evidence.subject.slug}"],
        words=words,
        headline=headline,
        state=type(evidence.reading).__name__.lower(),
        sentence=_sentence(record, headline),
        fields=list(record.fields.items()),
        declined=blocks.decline(writer, id_, "declined", words.title, level=2)
        if isinstance(evidence.reading, Declined)
        else "",
        pages=pages,
        examined=examined,
        history=_history(site, id_),
        bibtex=cite.bibtex(site.words, record, title, headline),
        access=wording.access(evidence.access),
        table_names=list(site.store.line(id_).tables),
        is_quantity=lambda field: isinstance(field, Quantity),
        is_declined=lambda field: isinstance(field, Declined),
        is_reported=isinstance(evidence.reading, Reported),
        is_quote=lambda field: isinstance(field, Quote),
    )


def _sentence(record: Record, headline: str) -> str:
    evidence = record.evidence
    if not isinstance(evidence.reading, Measured | Reported):
        return ""
    unit = getattr(evidence.reading.fields[headline], "unit", "")
    return wording.phrase(evidence.instrument, headline, naming.of(evidence.subject), unit)


def _history(site: Site, id_: str) -> list[dict[str, Any]]:
    """Every time this record was written, newest first: digest, and which fields had another value than now."""
    lines = site.store.history(id_)
    made = []
    for at, line in enumerate(lines):
        before = lines[at - 1].fields if at else {}
        changed = [name for name, value in line.fields.items() if at and before.get(name) != value]
        made.append({"digest": line.digest, "live": at == len(lines) - 1, "first": at == 0, "changed": changed})
    return made[::-1]


def _dataset(site: Site, record: Record, title: str, description: str) -> dict[str, Any]:
    """JSON-LD that says what can be downloaded here; it holds no measured number."""
    base = site.words.url
    return {
        "@context": "https://schema.org/",
        "@type": "Dataset",
        "name": title,
        "description": description,
        "url": base + links.evidence(record.id),
        "identifier": record.id,
        "license": site.words.licence,
        "isAccessibleForFree": True,
        "creator": {"@type": "Organization", "name": site.words.author or site.words.title},
        "distribution": [
            {"@type": "DataDownload", "encodingFormat": kind, "contentUrl": base + path}
            for kind, path in (
                ("application/json", links.record_json(record.id)),
                ("text/csv", links.fields_csv(record.id)),
            )
        ],
    }
