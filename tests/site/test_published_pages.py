"""Every page of the published site, as a parser sees it: sizes, ids, links, policy, drawings, digits, valid HTML."""

from __future__ import annotations

import gzip
import os
import re
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import pytest
from built_site import pages
from selectolax.lexbor import LexborHTMLParser

from measure.store import Store
from site_builder.claims.readback import Report, read
from site_builder.lookup import Lookup

pytestmark = pytest.mark.xdist_group("published")
ROOT = Path(__file__).parents[2]
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'"
)
NEEDS = {"search": ["search-index.js", "search.js"]}  # pages whose purpose is a script


class Built(NamedTuple):
    """A page: where it is, its bytes, and its tree. `plotted` pages draw with plotly, and say so."""

    path: str
    html: bytes
    tree: LexborHTMLParser

    @property
    def plotted(self) -> bool:
        return self.path.startswith("figures/") and not self.path.endswith("/table/index.html")


@pytest.fixture(scope="module")
def site(published: Path) -> list[Built]:
    found = [(path.relative_to(published).as_posix(), path.read_bytes()) for path in pages(published)]
    return [Built(path, html, LexborHTMLParser(html.decode())) for path, html in found]


def test_every_page_fits_its_budget(published: Path, site: list[Built]) -> None:
    css = (published / "site.css").read_bytes()
    sent = len(gzip.compress(css, mtime=0))
    laid_out = [page for page in site if not page.plotted]
    assert len(laid_out) > 1000
    heavy = {page.path: len(page.html) + len(css) for page in laid_out if len(page.html) + len(css) > 250_000}
    slow = {page.path: size for page in laid_out if (size := len(gzip.compress(page.html, mtime=0)) + sent) > 40_000}
    assert (slow, heavy) == ({}, {})


def test_every_page_has_its_policy_and_needs_no_script_but_where_it_is_one(site: list[Built]) -> None:
    for page in site:
        policy = page.tree.css_first('meta[http-equiv="Content-Security-Policy"]').attributes["content"]
        scripts = [node.attributes for node in page.tree.css("script:not([type='application/ld+json'])")]
        sources = [one["src"].rsplit("/")[-1] for one in scripts if one.get("src")]
        if page.plotted:
            assert "style-src 'self' 'unsafe-inline'" in policy, page.path
            assert sources == ["plotly.min.js", "figure.js"], page.path
            continue
        assert policy == POLICY, page.path
        assert sources == NEEDS.get(page.path.partition("/")[0], []), page.path
        assert len(scripts) == len(sources), page.path
        assert not page.tree.css("[style], style"), page.path
        assert not re.search(rb"\son[a-z]+=", page.html), page.path
        fetched = page.tree.css("link[rel=stylesheet], link[rel=icon], script[src], img, iframe, object, video, audio")
        assert len(fetched) + 1 <= 5, page.path


def test_ids_are_unique_and_every_link_of_the_site_leads_somewhere(published: Path, site: list[Built]) -> None:
    ids = {page.path: [node.attributes["id"] for node in page.tree.css("[id]")] for page in site}
    repeated = {path: [one for one, n in Counter(found).items() if n > 1] for path, found in ids.items()}
    assert {path: found for path, found in repeated.items() if found} == {}
    known = {path: set(found) for path, found in ids.items()}
    there = {path.relative_to(published).as_posix() for path in published.rglob("*") if path.is_file()}
    lost = []
    for page in site:
        for href in {
            node.attributes["href"] or "" for node in page.tree.css("a[href], link[href]:not([rel=canonical])")
        }:
            if re.match(r"[a-z]+:", href):
                assert href.startswith(("https://", "mailto:")), (page.path, href)
                continue
            name, _, fragment = href.partition("#")
            to = os.path.normpath(os.path.join(os.path.dirname(page.path), unquote(name))) if name else page.path  # noqa: PTH118, PTH120
            if href.startswith("/") or to not in there or (fragment and unquote(fragment) not in known.get(to, ())):
                lost.append((page.path, href))
    assert lost == []


def test_every_number_opens_its_sheet_and_every_sheet_belongs_to_one(site: list[Built]) -> None:
    for page in site:
        opens = {node.attributes["popovertarget"] for node in page.tree.css("button[popovertarget]")}
        assert opens == {node.attributes["id"] for node in page.tree.css("[popover]")}, page.path


def test_every_page_is_named_and_described_once(site: list[Built]) -> None:
    for page in site:
        assert len(page.tree.css("h1")) == 1, page.path
        assert page.tree.css_first("title").text().strip(), page.path
        assert (page.tree.css_first('meta[name="description"]').attributes["content"] or "").strip(), page.path
        assert page.tree.css_first("html").attributes["lang"] == "en", page.path


def test_every_drawing_is_named_and_described_and_every_figure_has_a_caption(site: list[Built]) -> None:
    drawings = 0
    for page in site:
        for drawing in page.tree.css("svg"):
            if drawing.attributes.get("aria-hidden") == "true":
                continue
            assert drawing.attributes.get("role") == "img", page.path
            named = (drawing.attributes.get("aria-labelledby") or "").split()
            texts = [drawing.css_first(f'[id="{one}"]') for one in named]
            assert [node.tag for node in texts if node is not None] == ["title", "desc"], (page.path, named)
            assert all(node.text().strip() for node in texts if node is not None), (page.path, named)
            drawings += 1
        for figure in page.tree.css("figure"):
            caption = figure.css_first("figcaption")
            assert caption is not None, page.path
            assert caption.text().strip(), page.path
    assert drawings > 100


@pytest.fixture(scope="module")
def report(published: Path) -> Report:
    """Every page read back from its file, by a process that did not build it."""
    store = Store.open(ROOT / "data")
    with store.reading():
        return read(published, Lookup(store))


def test_every_digit_is_backed_or_listed(site: list[Built], report: Report) -> None:
    assert [str(one) for one in report.findings] == []
    assert set(report.digits) == {page.path for page in site}


def test_few_digits_stand_on_the_allow_list(report: Report) -> None:
    """A twentieth of a page's digits; of a page that prints hardly any, a few dates and references."""
    listed = {path: counts.total() for path, counts in report.allowed.items()}
    over = {path: (count, report.digits[path]) for path, count in listed.items() if count > report.digits[path] / 20}
    assert {path: counts for path, counts in over.items() if counts[0] > 48} == {}
    assert sum(listed.values()) < sum(report.digits.values()) / 20


def test_the_checker_of_the_html_standard_finds_nothing(published: Path) -> None:
    jar = os.environ.get("VNU_JAR", "")
    if not (jar and shutil.which("java")):
        pytest.skip("set VNU_JAR to the Nu HTML checker, and have java")
    command = ["java", "-Xss4m", "-jar", jar, "--errors-only", "--skip-non-html", str(published)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
