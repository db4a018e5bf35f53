"""`lens build` beside MkDocs-Material and Zensical: the same 200 pages with prose, a table and a chart each.

Built from nothing, and again after one page was edited. The peers' configurations lie in `bench/peers/`; the outputs
are parsed, and must hold the same pages, prose, tables and charts.
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench import _peer
from bench._peer import Spent

ROUNDS = 5
MKDOCS, MATERIAL = "mkdocs==1.6.1", "mkdocs-material==9.8.2"
ZENSICAL = "zensical==0.0.73"  # the newest with its theme inside: later ones need a zensical-ui that isn't on PyPI
EDITED = "e/ee"
SCRIPTS = Path(__file__).parent / "scripts"
CONFIGURATIONS = Path(__file__).parent / "peers"


@dataclass
class Tool:
    """One builder: where its pages lie and go, and its command for a first build and for one after an edit."""

    version: str
    folder: Path
    pages: str
    out: str
    chart: str  # selects the charts of a page
    first: list[str | Path]
    again: list[str | Path]
    cold: list[Spent] = field(default_factory=list)
    edited: list[Spent] = field(default_factory=list)

    def build(self) -> Spent:
        for gone in (self.out, ".cache"):
            shutil.rmtree(self.folder / gone, ignore_errors=True)
        return _peer.spent(self.first, self.folder)

    def edit(self, word: str) -> Spent:
        """A build after one page got a sentence more. Raises RuntimeError where the page doesn't show it."""
        page = self.folder / self.pages / f"{EDITED}.md"
        page.write_text(f"{page.read_text('utf-8')}\nAnd {word}.\n", "utf-8")
        cost = _peer.spent(self.again, self.folder)
        if f"And {word}." not in (self.folder / self.out / EDITED / "index.html").read_text("utf-8"):
            raise RuntimeError(f"{self.version} did not build the page that was edited")
        return cost


def run() -> list[dict[str, Any]]:
    """Rows of CPU seconds and of memory for each peer: medians of alternating runs."""
    _peer.HOME.mkdir(parents=True, exist_ok=True)
    root = Path(tempfile.mkdtemp(prefix="site-", dir=_peer.HOME))
    try:
        ours, *peers = _tools(root)
        for tool in (ours, *peers):  # the first run compiles
            tool.build()
            tool.edit("once more")
        _same(ours, peers)
        for word in ("one", "two", "three", "four", "five")[:ROUNDS]:
            for tool in (ours, *peers):
                tool.cold.append(tool.build())
                tool.edited.append(tool.edit(word))
        pages = len(list((ours.folder / ours.out).rglob("*.html")))
        return [row for peer in peers for row in _rows(ours, peer, pages)]
    finally:
        shutil.rmtree(root)


def _tools(root: Path) -> list[Tool]:
    """Ours first. Every tool has its pages in a folder of its own."""
    mkdocs = _peer.python_with("mkdocs-material", MKDOCS, MATERIAL).with_name("mkdocs")
    zensical = _peer.python_with("zensical", ZENSICAL).with_name("zensical")
    lens = Path(sys.executable).with_name("lens")
    _peer.spent([sys.executable, "-m", "bench.scripts.site_pages", root], _peer.HOME.parent.parent)
    for peer in CONFIGURATIONS.iterdir():
        shutil.copytree(peer, root / peer.name, dirs_exist_ok=True)
    return [
        Tool("evidence-lens", root / "ours", "content", "_site", "svg.drawing", [lens, "build"], [lens, "build"]),
        Tool(
            MATERIAL.replace("==", " "), root / "mkdocs-material", "docs", "site", "article img",
            [mkdocs, "build", "--quiet"], [mkdocs, "build", "--quiet", "--dirty"],
        ),
        Tool(
            ZENSICAL.replace("==", " "), root / "zensical", "docs", "site", "article img",
            [zensical, "build"], [zensical, "build"],
        ),
    ]  # fmt: skip


def _same(ours: Tool, peers: list[Tool]) -> None:
    """Raises RuntimeError where a peer's pages hold other prose, another table or not as many charts."""
    held = _held(ours)
    if len(held) != 200 or any(len(page[2]) != 20 or page[3] != 1 for page in held.values()):
        raise RuntimeError(f"{ours.version} did not build 200 pages with a table of 20 rows and a chart each")
    for peer in peers:
        theirs = _held(peer)
        if differing := [name for name in held if theirs.get(name) != held[name]]:
            name = differing[0]
            raise RuntimeError(f"{name} of {peer.version} holds {theirs.get(name)}, ours {held[name]}")


def _held(tool: Tool) -> dict[str, tuple[str, list[str], list[list[str]], int]]:
    """Of each page: its heading, its prose, the rows of its table, how many charts it has."""
    from selectolax.lexbor import LexborHTMLParser

    held = {}
    for source in sorted((tool.folder / tool.pages).glob("?/*.md")):
        name = source.relative_to(tool.folder / tool.pages).with_suffix("").as_posix()
        page = LexborHTMLParser((tool.folder / tool.out / name / "index.html").read_text("utf-8"))
        charts = page.css(tool.chart)
        for chart in charts:
            if (image := chart.attributes.get("src")) and not (tool.folder / tool.out / name / image).is_file():
                raise RuntimeError(f"{name} of {tool.version} shows {image}, which is not there")
        for figure in page.css(".figure"):
            figure.decompose()
        rows = [[_words(cell.text()) for cell in row.css("td")] for row in page.css("article tbody tr")]
        prose = [text for node in page.css("article p") if (text := _words(node.text()))]
        heading = page.css_first("article h1")
        held[name] = (_words(heading.text()) if heading else "", prose, rows, len(charts))
    return held


def _words(text: str) -> str:
    return " ".join(text.replace("¶", "").split())


def _rows(ours: Tool, peer: Tool, pages: int) -> list[dict[str, Any]]:
    name = peer.folder.name
    more = f"ours wrote {pages} pages: permalinks, ledger and index too, with every number read back"
    cpu: Callable[[Spent], float] = lambda one: one.cpu  # noqa: E731
    memory: Callable[[Spent], float] = lambda one: one.megabytes  # noqa: E731
    return [
        _row(f"site-built-{name}", "CPU s", f"200 pages from nothing; {more}", ours.cold, peer.cold, cpu, peer.version),
        _row(
            f"page-edited-{name}", "CPU s", "one page of 200 edited, built again", ours.edited, peer.edited, cpu,
            peer.version,
        ),
        _row(f"site-memory-{name}", "MB", "peak, 200 pages from nothing", ours.cold, peer.cold, memory, peer.version),
    ]  # fmt: skip


def _row(
    name: str,
    unit: str,
    note: str,
    ours: list[Spent],
    theirs: list[Spent],
    what: Callable[[Spent], float],
    version: str,
) -> dict[str, Any]:
    mine, peers = [what(one) for one in ours], [what(one) for one in theirs]
    return {
        "name": name,
        "ours": statistics.median(mine),
        "peer": statistics.median(peers),
        "peer_version": version,
        "ratio": statistics.median(peers) / statistics.median(mine),
        "unit": unit,
        "note": note,
        "ours_range": [min(mine), max(mine)],
        "peer_range": [min(peers), max(peers)],
    }
