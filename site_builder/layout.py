"""A page's body into a whole document: head, navigation, sheets; or the last build's file, where it still holds."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable

from markupsafe import Markup

from site_builder import links
from site_builder.cache import Cache
from site_builder.context import Page, Site
from site_builder.output import Output
from site_builder.sheets import SHOWN, Sheets

_PLACES = re.compile(r' (id|href|src)="([^"]*)"')
NAVIGATION = (
    ("Graders", "graders/"),
    ("Models", "models/"),
    ("Runs", "runs/"),
    ("Studies", "studies/"),
    ("Evidence", "evidence/"),
    ("Declined", "declined/"),
    ("Ledger", "ledger/"),
    ("How to", "docs/audit-a-grader/"),
    ("Search", "search/"),
)
FOOTER = (
    ("How to read this site", "about/"),
    ("Inside one reward model", "docs/inside-one-reward-model/"),
    ("Read a run you already have", "docs/read-a-run/"),
    ("Measurements you can trust", "docs/measurements-you-can-trust/"),
    ("Predict first", "docs/predict-first/"),
    ("Instruments", "docs/instruments/"),
    ("Public figures", "public-figures/"),
    ("Rules of the check", "rules/"),
    ("Changes", "changes/"),
    ("Downloads", "downloads/"),
    ("Capabilities", "capabilities/"),
    ("Atlas", "atlas/"),
    ("Scoreboard", "scoreboard/"),
    ("Safety cases", "safety-cases/"),
    ("Limits", "limits/"),
    ("How to cite", "cite/"),
)
PLOTLY = "plotly.min.js"  # a page that loads it allows inline styles
# Linked where somebody wrote them, or has figures of others to list.
WRITTEN = {
    "docs/audit-a-grader/",
    "docs/inside-one-reward-model/",
    "docs/instruments/",
    "docs/measurements-you-can-trust/",
    "docs/predict-first/",
    "docs/read-a-run/",
    "about/",
    "cite/",
    "limits/",
    "safety-cases/",
    "public-figures/",
    "rules/",
}


class Layout:
    """Writes laid-out pages; `made` is told of the HTML of each that is new, by file."""

    def __init__(self, site: Site, cache: Cache, output: Output, made: Callable[[str, str], None]) -> None:
        self.site = site
        self.cache = cache
        self.output = output
        self.sheets = Sheets(site)
        self.template = site.env.get_template("base.html")
        written = {page.path for page in site.pages}
        generated = {path for _, path in (*NAVIGATION, *FOOTER)} - WRITTEN
        self.navigation = [pair for pair in NAVIGATION if pair[1] in generated | written]
        self.footer = [pair for pair in FOOTER if pair[1] in generated | written]
        self._around = repr((cache.site_key, self.navigation, self.footer))
        self.made = made
        self.written = 0

    def write(self, page: Page) -> None:
        """Lay a page out unless the last build's file holds; its own files come with it."""
        path, key = links.to_page(page.path), self._key(page)
        kept = self.cache.kept(page.path)
        if kept.laid_out != key or not self.output.holds(path, key):
            html = self._document(page)
            self.output.put(path, html.encode(), key)
            found = _PLACES.findall(html)
            kept.anchors = [value for name, value in found if name == "id"]
            kept.links = sorted({value for name, value in found if name != "id"})
            kept.laid_out = key
            self.made(path, html)
            self.written += 1
        if changed := [name for name, key in kept.files.items() if not self.output.holds(name, key)]:
            files = self.cache.body(page.path).files
            for name in changed:
                if self.output.put(name, files[name], kept.files[name]) and name.endswith(".html"):
                    self.made(name, files[name].decode())

    def _key(self, page: Page) -> str:
        """What the document depends on: the site, the page, who else quotes its numbers, and the navigation."""
        kept = self.cache.kept(page.path)
        quoted_on = [self.site.quoted_on.get(key, [])[: SHOWN + 1] for key in kept.opens]
        text = repr((self._around, kept.key, quoted_on))
        return hashlib.sha256(text.encode()).hexdigest()

    def _document(self, page: Page) -> str:
        body = self.cache.body(page.path)
        return self.template.render(
            page=page,
            site=self.site,
            root=links.root(page.path),
            navigation=self.navigation,
            footer=self.footer,
            scripts=body.scripts,
            plotly=PLOTLY in body.scripts,
            sheets=self.sheets.of(page.path, body.sheets),
            jsonld=Markup(_inline(body.jsonld)) if body.jsonld else "",
            body=Markup(body.html),
        )


def _inline(data: object) -> str:
    """JSON that can stand inside a script element."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")
