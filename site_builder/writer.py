"""What a page template writes numbers with. `{{ w.n("id#field|fmt") }}` looks up, marks, and remembers the sheet."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from lens.reading import Declined, Label, Quantity, Quote, Reported, Schematic
from site_builder import figures, links, wording
from site_builder.context import Body, Page, Quoted, Shown
from site_builder.figures import FigureHtml
from site_builder.lookup import Cited, NumberError
from site_builder.sentences import sentences

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.context import Site

ROWS = 24  # a longer table under a figure would weigh its page down, and so would a
HEAVY = 7_500  # characters of HTML: it has a page of its own
_TABLE = re.compile(r"<details>.*?</details>", re.DOTALL)
_NUMBER = re.compile(r"\0([^\0]+)\0")
_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_OPENS = re.compile(r'popovertarget="n(\d+)"')
_STAMPED = re.compile(r' data-ev="([^"]*)"')
_NAME = re.compile(r"`([^`<>]+)`(?![^<]*>)")  # in text, not in a tag
_STOPS = re.compile(r"</button>[,.;:)”’?!]+")


class Writer:
    """Writes one page. Every method returns safe HTML. A quoting page's sentences go into the ledger."""

    def __init__(self, site: Site, path: str, *, quoting: bool = False) -> None:
        self.quoting = quoting
        self.site = site
        self.lookup = site.lookup
        self.path = path
        self.root = links.root(path)
        self.sheets: dict[str, str] = {}
        self.quotes: list[Quoted] = []
        self.files: dict[str, bytes] = {}
        self.tables: dict[str, tuple[str, str]] = {}  # figure's place -> title, table
        self.figures: list[Shown] = []
        self.jsonld: dict[str, Any] = {}
        self._headings: dict[str, int] = {}
        self._numbers: dict[str, int] = {}

    def page(self, title: str, html: str, *, scripts: Sequence[str] = (), **more: Any) -> tuple[Page, Body]:
        """The page, once its HTML is rendered."""
        html = keep_stops(self._printed(html))
        ledger = sentences(html) if self.quoting else []
        quotes = list(dict.fromkeys(self.quotes))
        claims = sum(len(refs) for _, refs in ledger)
        told = sum(len(sentence) + sum(100 + 3 * len(ref) for ref in refs) for sentence, refs in ledger)
        tables = [(slug, title) for slug, (title, _) in self.tables.items()]
        page = Page(
            self.path, title, quotes=quotes, claims=claims, told=told, tables=tables, figures=self.figures, **more
        )
        kept = {slug: html for slug, (_, html) in self.tables.items()}
        return page, Body(html, self.sheets, ledger, self.files, kept, list(scripts), self.jsonld)

    def render(
        self,
        template: str,
        title: str,
        *,
        section: str = "",
        description: str = "",
        scripts: Sequence[str] = (),
        **context: Any,
    ) -> tuple[Page, Body]:
        """The page a template makes; it sees the writer as `w`."""
        made = self.site.env.get_template(template).render(
            w=self, site=self.site, links=links, wording=wording, title=title, **context
        )
        return self.page(title, made, section=section, description=description, scripts=scripts)

    def n(self, ref: str) -> Markup:
        """A number that opens its sheet; a reported figure comes in quotation marks."""
        cited = self.lookup.cite(ref)
        button = self._button(self._open(cited), self.data(cited), "n r" if isinstance(cited.field, Quote) else "n")
        return Markup(f'<span class="nw">“{button}”</span>') if isinstance(cited.field, Quote) else button

    def plain(self, ref: str) -> Markup:
        """A number that is looked up and stamped but opens nothing: for tables that say where it comes from."""
        cited = self.lookup.cite(ref)
        self._quote(cited)
        data = self.data(cited)
        return Markup(f"“{data}”") if isinstance(cited.field, Quote) else data

    def data(self, cited: Cited) -> Markup:
        """The stamped text itself."""
        found = self.site.stamp(cited)
        return _code(found) if isinstance(cited.field, Label) else found

    def claim(self, text: str) -> Markup:
        """Words that the store backs, opening the sheet of the number behind them."""
        claim = self.lookup.claim(text)
        words = Markup('<span data-ev-claim="{}">{}</span>').format(claim.condition, claim.words)
        return self._button(self._open(claim.cited), words, "n")

    def said(self, ref: str, tag: str = "span") -> Markup:
        """Prose of a record, quoted whole."""
        found = Markup(f'<{tag} data-said="{escape(ref)}">{escape(self.lookup.said(ref))}</{tag}>')
        return _code(found) if tag == "span" else found

    def field(self, id_: str, name: str, fmt: str = "") -> Markup:
        """One field, whichever state it is in: a number, words, a quotation, or a declined plate."""
        field = self.lookup.field(id_, name)
        if isinstance(field, Declined):
            return self.declined(id_, name)
        return self.n(f"{id_}#{name}" + (f"|{fmt}" if fmt else ""))

    def interval(self, id_: str, name: str) -> Markup:
        """Of one field, as percentages where it is a share; nothing where it has none."""
        field = self.lookup.field(id_, name)
        if not isinstance(field, Quantity) or field.interval is None or field.interval.low == field.interval.high:
            return Markup("")
        return self.plain(f"{id_}#{name}|{'pctinterval' if field.of or field.kind == 'proportion' else 'interval'}")

    def declined(self, id_: str, name: str = "declined", words: str = "") -> Markup:
        """A plate that says what is missing and opens why, with the remedy. Not applicable is plain grey words."""
        field = self.lookup.field(id_, name)
        if not isinstance(field, Declined):
            raise NumberError(f"{id_}#{name} was measured; cite it instead of declining it")
        if field.reason == "not_applicable":
            return Markup('<span class="na">not applicable: {}</span>').format(self.said(f"{id_}#{name}@detail"))
        key = f"{id_}#{name}"
        self.sheets.setdefault(key, "")
        text = words or wording.needs(field.reason, field.needs, id_.partition("/")[0])
        return self._button(key, Markup("<span>{}</span>").format(text), "plate")

    def sentence(self, id_: str, template: str) -> Markup | None:
        """A phrase with `{field|format}` in it, or None where one of its fields is missing, declined or unfit."""
        wanted = [found.partition("|") for found in _PLACEHOLDER.findall(template)]
        fields = self.lookup.fields(id_)
        for name, _, _ in wanted:
            if name not in fields or isinstance(fields[name], Declined):
                return None
        parts = _PLACEHOLDER.split(template)
        texts = (escape(part) if at % 2 == 0 else self._in_sentence(id_, part) for at, part in enumerate(parts))
        return Markup("").join(texts)

    def _in_sentence(self, id_: str, part: str) -> Markup:
        name, _, fmt = part.partition("|")
        if isinstance(self.lookup.field(id_, name), Label):
            return self.label(f"{id_}#{name}")
        return self.n(f"{id_}#{name}" + (f"|{fmt}" if fmt else ""))

    def label(self, ref: str) -> Markup:
        """A measured answer in words: stamped and openable like a number; code where it looks like code."""
        return self.n(ref)

    def row(self, id_: str) -> Markup:
        """A record in one line, from its instrument's wording; else its headline and what it is."""
        record = self.lookup.record(id_)
        clauses = [self.sentence(id_, text) for text in wording.of(record.evidence.instrument).row]
        found = [clause for clause in clauses if clause]
        if found:
            return Markup("; ").join(found)
        name = self.lookup.headline(id_)
        field = self.lookup.field(id_, name)
        if isinstance(field, Declined):
            return self.declined(id_, name)
        number = self.n(f"{id_}#{name}")
        if not getattr(field, "unit", ""):
            return number
        return Markup("{} {}, {}").format(number, self.said(f"{id_}#{name}@unit"), wording.plain(name))

    def state_of(self, record: Record) -> Markup:
        """A record in one cell: its line where it was measured or reported, a plate where it declined."""
        reading = record.evidence.reading
        if isinstance(reading, Declined):
            return self.declined(record.id)
        if isinstance(reading, Schematic):
            return self.said(f"{record.id}@statement")
        return self.row(record.id)

    def source(self, id_: str) -> Markup:
        """Who published a reported figure, in small type beside it."""
        reading = self.lookup.record(id_).evidence.reading
        assert isinstance(reading, Reported)
        return Markup('<small class="src">{}</small>').format(self.said(f"{id_}@citation"))

    def heading(self, slug: str) -> str:
        """An id for a heading, unlike any before it on this page."""
        slug = slug if slug[:1].isalpha() else f"h-{slug}"
        seen = self._headings[slug] = self._headings.get(slug, 0) + 1
        return slug if seen == 1 else f"{slug}-{seen}"

    def page_link(self, path: str, text: str | Markup, fragment: str = "") -> Markup:
        return Markup(f'<a href="{escape(self.root + links.to_page(path, fragment))}">{escape(text)}</a>')

    def figure(self, name: str, id_: str, *, table: str = "", **options: Any) -> Markup:
        """A drawing from the figure registry, with its table; its spec is a file of the site.

        A long or heavy table gets a page of its own, and so does any under `table="page"`. A figure that several pages
        show is drawn once a build, with marks where each page writes its own numbers. Only those of quoting pages have
        an interactive page: it lists what was quoted before it.
        """
        drawn = self._drawn(name, id_, options)
        shown = Shown(drawn.id, drawn.name, drawn.title, drawn.spec["layout"]["meta"]["desc"], drawn.csv)
        self.figures.append(shown)
        self.files.update((path, text.encode()) for path, text in drawn.files.items())
        html = _NUMBER.sub(lambda mark: self.n(mark[1]), drawn.html)
        if table != "page" and drawn.table_html.count("<tr") <= ROWS + 1 and len(drawn.table_html) <= HEAVY:
            return Markup(html)
        self.tables[shown.slug] = (drawn.title, drawn.table_html)
        own = self.root + links.to_page(links.figure_table(shown.slug))
        return Markup(_TABLE.sub(f'<a href="{own}">Table</a>', html, count=1))

    def _drawn(self, name: str, id_: str, options: dict[str, Any]) -> FigureHtml:
        key = repr((name, id_, sorted(options.items()), self.root, self.quoting))
        if key not in self.site.drawn:
            self.site.drawn[key] = figures.render(
                name, self.lookup, id_, root=self.root, number=lambda ref: f"\0{ref}\0", interactive=self.quoting,
                **options,
            )  # fmt: skip
        return self.site.drawn[key]

    def _open(self, cited: Cited) -> str:
        """Remember that this page shows the number; the sheet is one a field, whatever the format."""
        key = self._quote(cited)
        self.sheets.setdefault(key, cited.ref if cited.derived else key)
        return key

    def _quote(self, cited: Cited) -> str:
        key = cited.ref if cited.derived else f"{cited.id}#{cited.field_name}"
        self.quotes.append(Quoted(cited.ref, cited.text, key))
        return key

    def _printed(self, html: str) -> str:
        """Forget the numbers that were made and stand nowhere: they open nothing, and the page doesn't quote them."""
        shown = set(map(int, _OPENS.findall(html)))
        if len(shown) == len(self._numbers):
            return html
        kept = [key for key, at in self._numbers.items() if at in shown]
        places = {self._numbers[key]: at for at, key in enumerate(kept, start=1)}
        stamped = set(_STAMPED.findall(html))
        gone = self._numbers.keys() - set(kept)
        self.quotes = [one for one in self.quotes if one.key not in gone or str(escape(one.ref)) in stamped]
        self.sheets = {key: self.sheets[key] for key in kept}
        self._numbers = {key: at for at, key in enumerate(kept, start=1)}
        return _OPENS.sub(lambda found: f'popovertarget="n{places[int(found[1])]}"', html)

    def _button(self, key: str, inner: Markup, css: str) -> Markup:
        if key not in self._numbers:
            self._numbers[key] = len(self._numbers) + 1
        return Markup(f'<button type="button" class="{css}" popovertarget="n{self._numbers[key]}">{inner}</button>')


def _code(html: Markup) -> Markup:
    """Names that a record sets in backticks, as code; the backticks stay in the text, which is the record's own."""
    return Markup(_NAME.sub(r'<code><span class="bt">`</span>\1<span class="bt">`</span></code>', str(html)))


def keep_stops(html: str) -> str:
    """A number and the comma or stop after it stay on one line."""
    parts, at = [], 0
    for stops in _STOPS.finditer(html):
        start = html.rfind("<button ", at, stops.start())
        if html.startswith(' class="n" ', html.find(" class=", start)):
            parts += [html[at:start], '<span class="nw">', html[start : stops.end()], "</span>"]
            at = stops.end()
    return "".join([*parts, html[at:]])
