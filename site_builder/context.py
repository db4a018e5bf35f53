"""What a build knows: where it reads and writes, the site's own words, the pages, and who quotes what."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from markupsafe import Markup

from lens.errors import UsageError
from lens.reading import Declined, fields_of
from site_builder import links, naming
from site_builder.lookup import Cited, Lookup

if TYPE_CHECKING:
    from jinja2 import Environment

    from measure.store import Record, Store
    from site_builder.figures import FigureHtml


@dataclass(frozen=True)
class Options:
    """Where a build reads and writes. `cache` keeps rendered pages between builds; it can be deleted at any time."""

    data: Path
    content: Path
    out: Path
    cache: Path
    with_source: bool = False


@dataclass(frozen=True)
class Words:
    """`content/site.toml`: the site's own words. `url` is where it is published, for feeds and the sitemap."""

    title: str = "evidence-lens"
    description: str = "Evidence about graders, every number looked up."
    url: str = "http://localhost:8000/"
    licence: str = "https://creativecommons.org/licenses/by/4.0/"
    author: str = ""
    repository: str = ""

    @classmethod
    def read(cls, content: Path) -> Words:
        """Raises UsageError where the file does not parse or holds an unknown key."""
        path = content / "site.toml"
        if not path.is_file():
            return cls()
        try:
            words = cls(**tomllib.loads(path.read_text("utf-8")))
        except (tomllib.TOMLDecodeError, TypeError) as error:
            raise UsageError(
                f"{path}: {error}", remedy=f"the keys are {', '.join(cls.__dataclass_fields__)}"
            ) from error
        if not words.url.endswith("/"):
            raise UsageError(f"{path}: url needs a slash at its end", remedy=f'url = "{words.url}/"')
        return words


class Quoted(msgspec.Struct, frozen=True, array_like=True):
    """One number as a page prints it; `key` is its `id#field`, or the whole reference of a derived number."""

    ref: str
    text: str
    key: str


class Shown(msgspec.Struct, frozen=True, array_like=True):
    """A figure as a page shows it: the record it is drawn from first, its name among that record's figures."""

    id: str
    name: str
    title: str
    desc: str
    csv: str  # where its data lie, from the site's root

    @property
    def slug(self) -> str:
        """Its place under `figures/`."""
        return f"{self.id}/{self.name}"


class Page(msgspec.Struct, array_like=True):
    """A page as others know it. `quotes` are the numbers it prints, each once, in order."""

    path: str
    title: str
    section: str = ""
    description: str = ""
    quotes: list[Quoted] = []
    claims: int = 0
    told: int = 0  # about how many characters its lines in the ledger take
    listed: bool = True
    tables: list[tuple[str, str]] = []  # figures whose table has a page of its own: (place under `figures/`, title)
    figures: list[Shown] = []


class Body(msgspec.Struct, array_like=True):
    """What is on a page, before its layout. `sheets` holds what opens, in order: `id#field` -> the reference, ""
    for a decline; `ledger` holds (sentence, references in it)."""

    html: str
    sheets: dict[str, str] = {}
    ledger: list[tuple[str, list[str]]] = []
    files: dict[str, bytes] = {}
    tables: dict[str, str] = {}  # the long tables' HTML, by the figure's place
    scripts: list[str] = []
    jsonld: dict[str, Any] = {}


@dataclass(frozen=True)
class Job:
    """A page to make. `key` says what it depends on beyond the store, the templates and the code."""

    path: str
    key: str
    make: Callable[[], tuple[Page, Body]]


@dataclass
class Subject:
    """A subject with evidence: its records by instrument, and those made with something varied, by variant."""

    kind: str
    slug: str
    name: str = ""
    records: dict[str, Record] = field(default_factory=dict)
    variants: dict[str, dict[str, Record]] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"{self.kind}/{self.slug}/"

    @property
    def all(self) -> list[Record]:
        return [*self.records.values(), *(record for some in self.variants.values() for record in some.values())]

    @property
    def evidence_path(self) -> str:
        """Where its records are listed; the record itself where there is but one."""
        records = self.all
        return links.evidence(records[0].id) if len(records) == 1 else f"evidence/{self.path}"

    @property
    def audited(self) -> bool:
        """Whether anything was measured here; figures of others alone make no card."""
        return any(record.evidence.instrument != "reported" for record in self.all)


def _unmade(path: str) -> Any:
    raise KeyError(path)


@dataclass
class Site:
    """Everything a page can ask for."""

    options: Options
    words: Words
    store: Store
    lookup: Lookup
    env: Environment
    quoted_on: dict[str, list[tuple[str, str]]] = field(default_factory=dict)  # `id#field` -> (path, title)
    body: Callable[[str], Body] = field(default=_unmade)  # of a page already made, by path
    key: Callable[[str], str] = field(default=_unmade)  # what that page was made from
    pages: list[Page] = field(default_factory=list)  # those that quote, for the pages that list them
    drawn: dict[str, FigureHtml] = field(default_factory=dict)  # figures of this build, by what they depend on

    def stamp(self, cited: Cited) -> Markup:
        """A number as pages print it."""
        return Markup(cited.stamp)

    @cached_property
    def subjects(self) -> dict[str, Subject]:
        """Every subject in the store, by `kind/slug`."""
        found: dict[str, Subject] = {}
        for id_ in self.store.ids():
            record = self.lookup.record(id_)
            evidence = record.evidence
            of = evidence.subject
            subject = found.setdefault(f"{of.kind}/{of.slug}", Subject(of.kind, of.slug))
            if evidence.variant:
                subject.variants.setdefault(evidence.variant, {})[evidence.instrument] = record
            else:
                subject.records[evidence.instrument] = record
            if not subject.name or not evidence.variant:
                subject.name = naming.of(of)
        return found

    @cached_property
    def graders(self) -> list[Subject]:
        """Audited graders, by name."""
        graders = [one for one in self.subjects.values() if one.kind == "graders" and one.audited]
        return sorted(graders, key=lambda one: one.name.lower())

    @cached_property
    def declines(self) -> list[tuple[Record, str, Declined]]:
        """Every declined field in the store that counts: not those that do not apply."""
        return [
            (record, name, field_)
            for id_ in self.store.ids()
            for record in [self.lookup.record(id_)]
            for name, field_ in fields_of(record.evidence.reading).items()
            if isinstance(field_, Declined) and field_.reason != "not_applicable"
        ]

    @cached_property
    def clock(self) -> str:
        """The build's clock: when the newest evidence was made. A build never reads the real one."""
        return max((self.lookup.record(id_).made.time for id_ in self.store.ids()), default="")
