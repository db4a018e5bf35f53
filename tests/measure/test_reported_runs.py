"""Published figures of runs: each is what its source prints, and what the record gives to as many digits."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from lens.reading import Quote, Reported
from lens.runs.opening import open_run
from measure.reported import reported

ROOT = Path(__file__).parent.parent.parent


@pytest.fixture(scope="module")
def quotes() -> dict[str, dict[str, Quote]]:
    """What the site itself printed, by run."""
    found = {
        one.subject.slug: one.reading
        for one in reported(ROOT / "data" / "reported")
        if one.subject.kind == "runs" and one.variant == "public-front"
    }
    return {slug: one.fields for slug, one in found.items() if isinstance(one, Reported) and one.source_digest}


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def test_every_run_of_the_table_has_a_source(quotes: dict[str, dict[str, Quote]]) -> None:
    assert {slug: len(fields) for slug, fields in quotes.items()} == {"reference-long": 23, "public-series": 12}


def rounds_to(value: float, printed: str) -> bool:
    """Whether the value, at the digits printed, is what was printed."""
    number = Decimal(printed.replace(",", ""))
    return Decimal(repr(value)).quantize(number) == number


def test_figures_of_the_reference_run_are_in_its_record(quotes: dict[str, dict[str, Quote]], shared: Path) -> None:
    run = open_run(str(shared / "data" / "runs" / "grpo_run" / "long"))
    told = {
        "rollouts": "SELECT count(*) FROM rollouts",
        "steps": "SELECT count(DISTINCT step) FROM rollouts",
        "rollouts-a-step": "SELECT DISTINCT count(*) FROM rollouts GROUP BY step",
        "leaf-minimum": 'SELECT min("score.length_reward") FROM rollouts',
        "leaf-maximum": 'SELECT max("score.length_reward") FROM rollouts',
        "leaf-values": 'SELECT count("score.length_reward") FROM rollouts',
        "abstained": 'SELECT count(*) - count("score.length_reward") FROM rollouts',
        "advantage-minimum": "SELECT min(advantage) FROM rollouts",
        "advantage-maximum": "SELECT max(advantage) FROM rollouts",
        "exactly-zero": "SELECT count(*) FROM rollouts WHERE advantage = 0",
        "clipped-norm-minimum": "SELECT min(value) FROM series WHERE name = 'grad_norm'",
        "clipped-norm-maximum": "SELECT max(value) FROM series WHERE name = 'grad_norm'",
    }
    fields = quotes["reference-long"]
    found = {name: float(run.sql(query)[0][0]) for name, query in told.items()}
    assert {name: rounds_to(value, fields[name].printed) for name, value in found.items()} == dict.fromkeys(told, True)
    assert len(run.header.leaves) == int(fields["leaves"].printed)


def test_a_figure_that_is_not_comparable_says_why(quotes: dict[str, dict[str, Quote]]) -> None:
    notes = {name: one.note for fields in quotes.values() for name, one in fields.items()}
    for name, word in {
        "clipped-norm-maximum": "before clipping",
        "promoted-alarm": "one step later",
        "promoted-on-surrogates": "at one baseline",
        "cancels": "right angles",
    }.items():
        assert word in notes[name]


def test_the_printed_ratio_is_within_what_its_operands_allow(quotes: dict[str, dict[str, Quote]]) -> None:
    fields = quotes["reference-long"]
    floor, prediction = (Decimal(fields[name].printed) for name in ("floor", "prediction"))
    half = Decimal("0.0005"), Decimal("0.0005e-6")
    low, high = (floor - half[0]) / (prediction + half[1]), (floor + half[0]) / (prediction - half[1])
    assert low <= Decimal(fields["floor-over-prediction"].printed.replace(",", "")) <= high
    assert fields["floor-over-prediction"].note.endswith(f"from {low:,.0f} to {high:,.0f}")
