"""`compare/KIND/`: any two graders, models or runs side by side, chosen with two lists and no script.

Every subject is a column; a small style sheet of the page's own shows the two that are chosen. Without it, or in a
browser that knows no `:has`, all columns show. Numbers in a model's own units stand in no comparison.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from markupsafe import Markup

from lens.reading import Declined, Quantity, Schematic
from site_builder import links, wording
from site_builder.context import Body, Job, Page, Site, Subject
from site_builder.writer import Writer

QUOTING = False
OWN_UNITS = ("ru",)  # a reward model's: no two models share a scale
NAMES = {"graders": "graders", "models": "reward models", "runs": "runs"}


def jobs(site: Site) -> Iterator[Job]:
    for kind in NAMES:
        if len(subjects(site, kind)) > 1:
            yield Job(path(kind), "", partial(_page, site, kind))


def path(kind: str) -> str:
    return f"compare/{kind}/"


def subjects(site: Site, kind: str) -> list[Subject]:
    """Subjects of a kind that something was measured of, by name."""
    found = [one for one in site.subjects.values() if one.kind == kind and one.audited and one.records]
    return sorted(found, key=lambda one: one.name.lower())


def _page(site: Site, kind: str) -> tuple[Page, Body]:
    writer = Writer(site, path(kind))
    columns = subjects(site, kind)
    names = {name for one in columns for name in one.records if name != "reported"}
    ordered = sorted(names, key=lambda name: (wording.of(name).order, name))
    rows = [(wording.of(name), [(one, _cell(writer, one, name)) for one in columns]) for name in ordered]
    writer.files[f"{path(kind)}columns.css"] = _style(columns).encode()
    return writer.render(
        "compare.html",
        f"Two {NAMES[kind]} side by side",
        section=kind.capitalize(),
        description=f"Any two {NAMES[kind]} of this site, instrument by instrument, each value with its interval.",
        what=NAMES[kind],
        columns=columns,
        rows=rows,
    )


def _cell(writer: Writer, subject: Subject, name: str) -> Markup:
    """A record's headline with its interval, linked to the record; in words where there is no number to compare."""
    record = subject.records.get(name)
    if record is None:
        return Markup('<span class="quiet">no record</span>')
    reading = record.evidence.reading
    href = f"{writer.root}{links.to_page(links.evidence(record.id))}"
    if isinstance(reading, Declined):
        idle = reading.reason == "not_applicable"
        words = wording.needs(reading.reason, reading.needs, subject.kind)
        return Markup('<a class="{}" href="{}">{}</a>').format("na" if idle else "plate", href, words)
    if isinstance(reading, Schematic):
        return Markup('<a class="na" href="{}">nothing measured</a>').format(href)
    headline = writer.lookup.headline(record.id)
    field = record.fields[headline]
    if isinstance(field, Declined):
        return Markup('<a class="plate" href="{}">{}</a>').format(
            href, wording.needs(field.reason, field.needs, subject.kind)
        )
    if isinstance(field, Quantity) and field.unit in OWN_UNITS:
        return Markup('<a class="na" href="{}">in its own units: not to be compared</a>').format(href)
    value = writer.data(writer.lookup.cite(f"{record.id}#{headline}"))
    spread = Markup("")
    if isinstance(field, Quantity) and field.interval and field.interval.low < field.interval.high:
        mode = "pctinterval" if field.of or field.kind == "proportion" else "interval"
        spread = Markup('<br><span class="quiet">{}</span>').format(
            writer.data(writer.lookup.cite(f"{record.id}#{headline}|{mode}"))
        )
    unit = writer.said(f"{record.id}#{headline}@unit") if getattr(field, "unit", "") else ""
    return Markup('<a href="{}">{}</a> {}{}').format(href, value, unit, spread)


def _style(columns: list[Subject]) -> str:
    """Rules that hide the columns not chosen, and put the second choice second."""
    chosen = [
        f'.compare:has(select option[value="{one.slug}"]:checked) .c-{one.slug}{{display:table-cell}}'
        for one in columns
    ]
    hide = ".compare td[class],.compare thead th[class]{display:none}"
    return "@supports selector(:has(*)){\n" + "\n".join([hide, *chosen]) + "\n}\n"
