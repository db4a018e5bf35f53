"""A store in memory, for tests of lookup and formats, and sites built of made-up evidence."""

from __future__ import annotations

import difflib
import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import site_evidence
from built_site import INDEX, content_on

from lens.reading import Declined, Evidence, Interval, Label, Measured, Quantity, Quote, Reading, Reported, Subject
from lens.resource import resource
from lens.stats.intervals import share
from site_builder.build import build
from site_builder.commands import options
from site_builder.context import Options
from site_builder.lookup import Lookup

ROOT = Path(__file__).parents[2]
QUIET = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"]
SUBJECT = Subject("graders", "toy", "Toy grader", "f" * 64)


class MemoryStore:
    def __init__(self, readings: dict[str, Reading]) -> None:
        self._records = {}
        for name, reading in readings.items():
            instrument, _, variant = name.partition("~")
            evidence = Evidence(instrument, 1, SUBJECT, reading, variant=variant)
            self._records[evidence.id] = SimpleNamespace(id=evidence.id, digest="0" * 64, evidence=evidence, made=None)

    def ids(self) -> list[str]:
        return sorted(self._records)

    def has(self, id_: str) -> bool:
        return id_ in self._records

    def record(self, id_: str) -> SimpleNamespace:
        return self._records[id_]

    def nearest(self, id_: str) -> list[str]:
        return difflib.get_close_matches(id_, self._records)


@pytest.fixture
def lookup() -> Lookup:
    killed = share(5, 374, "mutants")
    variants = share(255, 374, "mutants")
    rate = Declined(
        "corpus_inadequate", "raw equality gives the same verdicts", "lens measure grader toy", bound=killed
    )
    fields = {
        "gold.killed": killed,
        "gold.rate": rate,
        "variants.killed": variants,
        "accuracy": Quantity(0.684, "rows", "proportion", interval=Interval(0.62, 0.742, "wilson")),
        "shift": Quantity(-0.171, "", "difference", interval=Interval(-0.3, -0.04, "bootstrap")),
        "mode": Label("falls back to equality"),
    }
    return Lookup(
        MemoryStore(
            {
                "kill-matrix": Measured(fields, headline="gold.killed", scope="240 gold pairs"),
                "reported~public-site": Reported(
                    {"killed": Quote("0 of 60", "mutants", "count", 0, 60)}, "killed", "public card", "front", "a" * 64
                ),
            }
        )  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("evidence") / "data"
    site_evidence.write(root)
    return root


@pytest.fixture(scope="session")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The records that `INDEX` cites, and a few beside them: a build of these is quick."""
    root = tmp_path_factory.mktemp("evidence") / "data"
    site_evidence.write(root, "tidy-equal", "kill-matrix", "variants", "survivors")
    return root


@pytest.fixture
def place(tmp_path: Path, small: Path) -> Callable[..., Options]:
    """Options for a site of its own on the made-up evidence; `place("# text")` gives it that home page."""

    def make(index: str = INDEX, **pages: str) -> Options:
        content = tmp_path / "content"
        content.mkdir(exist_ok=True)
        (content / "index.md").write_text(index, "utf-8")
        for name, text in pages.items():
            (content / f"{name}.md").write_text(text, "utf-8")
        return options(small, content, tmp_path / "_site")

    return make


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory, data: Path) -> Path:
    """The made-up evidence with this project's own content, as far as that can stand beside it."""
    root = tmp_path_factory.mktemp("site")
    build(options(data, content_on(resource("content"), root / "content"), root / "_site"))
    return root / "_site"


@pytest.fixture(scope="session")
def published(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The published site: the committed evidence with this project's content, built once for all test processes."""
    own = tmp_path_factory.getbasetemp()
    root = (own.parent if os.environ.get("PYTEST_XDIST_WORKER") else own) / "published"
    root.mkdir(exist_ok=True)
    with (root / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (root / "_site").is_dir():
            build(options(ROOT / "data", resource("content"), root / "_site"))
    return root / "_site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("no chromium on this machine")
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=found, args=QUIET)
        yield opened
        opened.close()
