"""`figures/<id>/`: every figure of this site that is drawn from one record, drawn by plotly as it comes into view.

The one kind of page that allows inline styles, which plotly can't do without.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from markupsafe import Markup

from site_builder import links, naming, wording
from site_builder.context import Body, Job, Page, Shown, Site
from site_builder.layout import PLOTLY
from site_builder.writer import Writer

QUOTING = False
Found = dict[str, tuple[Shown, str]]  # by name: the figure, and the path of a page that shows it


def jobs(site: Site) -> Iterator[Job]:
    drawn: dict[str, Found] = {}
    for page in site.pages:
        for shown in page.figures:
            drawn.setdefault(shown.id, {}).setdefault(shown.name, (shown, page.path))
    for id_, found in drawn.items():
        key = repr([(shown, site.key(path)) for shown, path in found.values()])
        yield Job(links.figures(id_), key, partial(_page, site, id_, found))


def _page(site: Site, id_: str, found: Found) -> tuple[Page, Body]:
    evidence = site.lookup.record(id_).evidence
    of = f"{wording.of(evidence.instrument).title}, {naming.of(evidence.subject)}"
    page, body = Writer(site, links.figures(id_)).render(
        "interactive.html",
        f"Figures: {of}",
        description=f"The figures drawn from one record, to zoom into: {of}.",
        scripts=[PLOTLY, "figure.js"],
        id=id_,
        of=of,
        figures=[(found[name][0], _spec(site, *found[name])) for name in sorted(found)],
    )
    page.listed = False
    return page, body


def _spec(site: Site, shown: Shown, path: str) -> Markup:
    """A spec as it can stand in a script element."""
    return Markup(site.body(path).files[f"figures/{shown.slug}.json"].decode().strip().replace("<", "\\u003c"))
