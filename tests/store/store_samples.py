"""Small readings to write, for the store's tests and the processes they start."""

from __future__ import annotations

from typing import Any

from lens.reading import Columns, Declined, Evidence, Input, Interval, Label, Measured, Quantity, Subject
from measure.store import Made

MADE = Made("2025-06-01T12:00:00Z", 1.5, 1.25, 240, "lens measure grader a", {"cores": "2"}, "abc123")
GOLD = Input("corpus", "gold", "c" * 64, "shared:graders/gold.jsonl", 240, "MIT")


def evidence(slug: str = "a", killed: int = 5, instrument: str = "kill-matrix", **changes: Any) -> Evidence:
    """A kill matrix of grader `slug`: 5 of 374 killed, a proportion with its interval, a label and a decline."""
    share = killed / 374
    fields: dict[str, Quantity | Label | Declined] = {
        "gold.killed": Quantity(killed, "mutants", "count", of=374, n=240, n_eff=120),
        "gold.rate": Quantity(
            share, "of mutants", "proportion", interval=Interval(share * 0.5, min(1.0, share * 1.5), "wilson")
        ),
        "mode": Label("raises"),
        "crossed.rate": Declined(
            "corpus_inadequate", "raw equality gives the same verdicts", "lens measure grader a --corpus variants.jsonl"
        ),
    }
    given: dict[str, Any] = {
        "version": 1,
        "subject": Subject("graders", slug, f"Grader {slug}", "f" * 64, f"pypi:{slug}==1.0/{slug}:score"),
        "reading": Measured(fields, "gold.killed", "240 gold pairs"),
        "access": ("gold.record", "grader.source"),
        "inputs": (GOLD,),
        "parameters": {"budget": 60.0, "operators": ["negate", "swap"]},
        "seed": 0,
    }
    return Evidence(instrument, **(given | changes))


def rows(killed: int = 5) -> dict[str, Columns]:
    """A table of three mutants; the last column differs with `killed`."""
    return {
        "mutants": {
            "mutant": [0, 1, 2],
            "operator": ["negate", "swap", None],
            "seconds": [0.5, 1.0, 0.25],
            "gold": [killed, -1, 3],
        }
    }


def item(slug: str = "a", killed: int = 5, **changes: Any) -> tuple[Evidence, dict[str, Columns], Made]:
    """What `Store.write` takes, with a table."""
    return evidence(slug, killed, **changes), rows(killed), MADE


def bare(slug: str = "a", killed: int = 5, **changes: Any) -> tuple[Evidence, dict[str, Columns], Made]:
    """The same without a table."""
    return evidence(slug, killed, **changes), {}, MADE
