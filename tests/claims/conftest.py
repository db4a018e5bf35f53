"""A small store in memory, and a checker over it: what every fixture is held against."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Collection
from pathlib import Path
from types import SimpleNamespace

import pytest

from lens.reading import Declined, Evidence, Interval, Label, Measured, Quantity, Quote, Reading, Reported, Subject
from site_builder.claims.document import Document
from site_builder.claims.engine import Checker, Report
from site_builder.claims.finding import Finding
from site_builder.claims.readback import read
from site_builder.claims.units import Units
from site_builder.claims.waivers import Waivers
from site_builder.lookup import Lookup

DIGEST = "3f1a" * 16


class MemoryStore:
    def __init__(self, readings: dict[str, Reading]) -> None:
        self._records = {}
        for id_, reading in readings.items():
            kind, slug, instrument = id_.split("/")
            subject = Subject(kind, slug, slug, "f" * 64)  # type: ignore[arg-type]
            evidence = Evidence(instrument, 1, subject, reading)
            self._records[id_] = SimpleNamespace(id=id_, digest=DIGEST, evidence=evidence, made=None)

    def ids(self) -> list[str]:
        return sorted(self._records)

    def has(self, id_: str) -> bool:
        return id_ in self._records

    def record(self, id_: str) -> SimpleNamespace:
        return self._records[id_]

    def nearest(self, id_: str) -> list[str]:
        return difflib.get_close_matches(id_, self._records)


class State:
    """One record is stale and one is in conflict."""

    def stale(self, id_: str) -> str:
        return "the corpus changed" if id_ == "graders/old/kill-matrix" else ""

    def conflict(self, id_: str) -> str:
        return "gold.killed is '5 of 374' here but '6 of 374' there" if id_ == "graders/torn/kill-matrix" else ""


KILLED = Quantity(5, unit="mutants", kind="count", of=374)
READINGS: dict[str, Reading] = {
    "graders/toy/kill-matrix": Measured(
        {
            "gold.killed": KILLED,
            "gold.rate": Declined("corpus_inadequate", "equality gives the same verdicts", "lens measure grader toy"),
            "variants.killed": Quantity(255, unit="mutants", kind="count", of=374),
            "all.killed": Quantity(374, unit="mutants", kind="count", of=374),
            "none.killed": Quantity(0, unit="mutants", kind="count", of=374),
            "killed": Quantity(0, unit="mutants", kind="count"),
            "total": Quantity(60, unit="mutants", kind="count"),
            "accuracy": Quantity(0.931, unit="pairs", kind="proportion"),
            "loose": Quantity(0.684, unit="pairs", kind="proportion", interval=Interval(0.62, 0.742, "wilson")),
            "shift": Quantity(-0.171, unit="", kind="difference"),
            "p": Quantity(5.647e-06, unit="", kind="score"),
            "slope": Quantity(1234.5, unit="", kind="score"),
            "mode": Label("falls back to equality"),
        },
        headline="gold.killed",
        scope="gold pairs",
    ),
    "graders/toy/rollouts": Measured(
        {"false-reject": Quantity(0, unit="rollouts", kind="count", of=2001)}, headline="false-reject", scope="rollouts"
    ),
    "graders/old/kill-matrix": Measured({"gold.killed": KILLED}, headline="gold.killed", scope="old"),
    "graders/torn/kill-matrix": Measured({"gold.killed": KILLED}, headline="gold.killed", scope="torn"),
    "graders/toy/reported": Reported(
        {"killed": Quote("0 of 60", "mutants", "count", 0, 60)}, "killed", "a public card", "table", "a" * 64
    ),
}

Check = Callable[..., list[Finding]]


def checking(waivers: Path) -> Check:
    """`check(text, syntax, scope, without)` -> findings. Scope `content` is strict whatever the text holds."""
    lookup = Lookup(MemoryStore(READINGS))  # type: ignore[arg-type]
    units = Units(["mutants", "pairs", "rollouts", "rows"])

    def run(
        text: str, syntax: str = "markdown", scope: str = "content", without: Collection[str] = ()
    ) -> list[Finding]:
        if syntax == "page":
            return read({"page.html": text}, lookup, without=without).findings
        report = Report()
        checker = Checker(lookup, State(), units, Waivers(waivers), without=without)
        name = {"markdown": "page.md", "latex": "paper.tex", "html": "page.html"}[syntax]
        page = checker.page(Document(name, text, syntax), in_content=scope == "content")  # type: ignore[arg-type]
        checker.check(page, report)
        return report.findings

    return run


@pytest.fixture(scope="session")
def check(tmp_path_factory: pytest.TempPathFactory) -> Check:
    return checking(tmp_path_factory.mktemp("none") / "claims.toml")
