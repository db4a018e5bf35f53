"""A store in memory with the methods the site reads, for tests of lookup and formats."""

from __future__ import annotations

import difflib
from types import SimpleNamespace

import pytest

from lens.reading import Declined, Evidence, Interval, Label, Measured, Quantity, Quote, Reading, Reported, Subject
from lens.stats.intervals import share
from site_builder.lookup import Lookup

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
