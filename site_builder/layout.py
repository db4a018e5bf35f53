"""A page's body into a whole document: head, navigation, sheets; written, or linked from the last build."""

from __future__ import annotations

import hashlib
import json
import os
import re
from pathlib import Path

from markupsafe import Markup

from site_builder import links
from site_builder.cache import Cache, Written
from site_builder.context import Page, Site
from site_builder.sheets import Sheets

_HREF = re.compile(r'(?:href|src)="([^"]*)"')
_ANCHOR = re.compile(r'\sid="([^"]*)"')
NAVIGATION = (
    ("Graders", "graders/"),
    ("Evidence", "evidence/"),
    ("Declined", "declined/"),
    ("Ledger", "ledger/"),
    ("How to", "docs/audit-a-grader/"),
    ("Search", "search/"),
)
FOOTER = (
    ("Changes", "changes/index.html"),
    ("Downloads", "downloads/index.html"),
    ("Capabilities", "capabilities/index.html"),
    ("Feed", "changes/feed.xml"),
)


class Layout:
    """Writes laid-out pages under `staging`; `anchors` and `links` of every page are kept for the link check."""

    def __init__(self, site: Site, cache: Cache, staging: Path) -> None:
        self.site = site
        self.cache = cache
        self.staging = staging
        self.sheets = Sheets(site)
        self.template = site.env.get_template("base.html")
        self.paths = {page.path for page in site.pages}
        self.anchors: dict[str, list[str]] = {}
        self.links: dict[str, list[str]] = {}
        self.changed: list[str] = []

    def write(self, page: Page) -> bool:
        """True where the page was laid out again, False where the last build's file still holds."""
        key = self._key(page)
        target = self.staging / links.to_page(page.path)
        target.parent.mkdir(parents=True, exist_ok=True)
        old, before = self.cache.written(page.path), self.site.options.out / links.to_page(page.path)
        if old is not None and old.key == key and _stat(before) == old.stat:
            os.link(before, target)
            written = old
        else:
            html = self._document(page)
            target.write_bytes(html.encode())
            written = Written(key, _stat(target), _ANCHOR.findall(html), sorted(set(_HREF.findall(html))))
            self.changed.append(page.path)
        self.cache.keep(page.path, written)
        self.anchors[page.path] = written.anchors
        self.links[page.path] = written.links
        for name, data in page.files.items():
            file = self.staging / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return written is not old

    def _key(self, page: Page) -> str:
        quoted_on = [self.site.quoted_on.get(key) for key in page.sheets]
        shown = [item for item in self.navigation() if item]
        text = f"{self.cache.keys.get(page.path)}\0{quoted_on!r}\0{shown!r}"
        return hashlib.sha256(text.encode()).hexdigest()

    def navigation(self) -> list[tuple[str, str]]:
        """The sections this site has; a how-to that was deleted from the content is not linked."""
        return [(name, path) for name, path in NAVIGATION if not path.startswith("docs/") or path in self.paths]

    def _document(self, page: Page) -> str:
        return self.template.render(
            page=page,
            site=self.site,
            root=links.root(page.path),
            navigation=self.navigation(),
            footer=FOOTER,
            scripts=page.scripts,
            sheets=self.sheets.of(page),
            jsonld=Markup(_inline(page.jsonld)),
            body=Markup(page.body),
        )


def _inline(data: object) -> str:
    """JSON that can stand inside a script element."""
    return json.dumps(data, ensure_ascii=False, sort_keys=True).replace("<", "\\u003c")


def _stat(path: Path) -> tuple[int, int]:
    try:
        status = path.stat()
    except OSError:
        return (-1, -1)
    return (status.st_size, status.st_mtime_ns)
