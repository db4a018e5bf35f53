"""`scoreboard/`: subjects of a kind beside each other, a page a kind, each naming those it is not told apart from."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from markupsafe import Markup

from site_builder.context import Body, Job, Page, Site
from site_builder.pages.atlas import there
from site_builder.views.scoreboard import Entry, scoreboard
from site_builder.writer import Writer

QUOTING = False


def jobs(site: Site) -> Iterator[Job]:
    for kind in _kinds(site):
        yield Job(path(site, kind), "", partial(_page, site, kind))


def _kinds(site: Site) -> list[str]:
    """Kinds of which two subjects have a headline in one unit; the first page is there without any."""
    kinds = there(site)
    return [kind for kind in kinds if scoreboard(site.lookup, kind)] or kinds[:1]


def path(site: Site, kind: str) -> str:
    return "scoreboard/" if kind == _kinds(site)[0] else f"scoreboard/{kind}/"


def _page(site: Site, kind: str) -> tuple[Page, Body]:
    writer = Writer(site, path(site, kind))
    rows = [(row, [(entry, _value(writer, entry)) for entry in row.entries]) for row in scoreboard(site.lookup, kind)]
    return writer.render(
        "scoreboard.html",
        f"Scoreboard of {kind}",
        section="Evidence",
        description=f"Headlines of the {kind} here beside each other, with what their intervals can’t tell apart.",
        kind=kind,
        rows=rows,
        others=[(other, path(site, other)) for other in _kinds(site) if other != kind],
    )


def _value(writer: Writer, entry: Entry) -> Markup:
    value = writer.plain(entry.ref)
    if entry.low is None or entry.high is None or entry.low == entry.high:
        return value
    mode = "pctinterval" if entry.of else "interval"
    return Markup('{} <span class="quiet">{}</span>').format(value, writer.plain(f"{entry.ref}|{mode}"))
