"""The sentence above a figure follows from the numbers, and gaps say why they are there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from figure_store import INADEQUATE, MADE, evidence

from lens.reading import Declined, Measured, Quantity
from lens.stats.intervals import share, wilson
from measure.store import Store
from site_builder import figures
from site_builder.lookup import Lookup

GOLD = "Gold answers against themselves"


def made(tmp_path: Path, instrument: str, fields: dict[str, Any], **options: str) -> figures.FigureHtml:
    """A figure of one record with these fields."""
    store = Store.open(tmp_path / "data")
    store.write([(evidence(instrument, Measured(fields, next(iter(fields)), "invented")), {}, MADE)])
    name = options.pop("figure", instrument)
    return figures.render(name, Lookup(store), f"graders/toy/{instrument}", **options)


@pytest.mark.parametrize(
    ("killed", "title"),
    [
        ({"gold": 0, "labelled": 80}, f"{GOLD} notice nothing; labelled variants notice most"),
        ({"gold": 3, "labelled": 80}, f"{GOLD} notice almost nothing; labelled variants notice most"),
        (
            {"gold": 3, "labelled": 40},
            f"{GOLD} notice almost nothing; labelled variants notice more, and still little",
        ),
        ({"gold": 30, "labelled": 40}, "No corpus notices much of the damage; labelled variants come nearest"),
        ({"gold": 60, "labelled": 80}, "Every corpus notices much of the damage, labelled variants the most"),
        (
            {"gold": 30, "labelled": 80},
            f"Labelled variants notice the most damage, {GOLD[0].lower()}{GOLD[1:]} the least",
        ),
    ],
)
def test_a_kill_matrix_is_titled_by_its_shares(tmp_path: Path, killed: dict[str, int], title: str) -> None:
    store = Store.open(tmp_path / "data")
    table: dict[str, list[Any]] = {
        "mutant": list(range(100)), "operator": ["string"] * 100, "function": ["f"] * 100, "line": [1] * 100,
    }  # fmt: skip
    fields: dict[str, Any] = {}
    for corpus, count in killed.items():
        table[corpus] = [0] * count + [-1] * (100 - count)
        fields[f"{corpus}.killed"] = Quantity(count, "mutants", "count", of=100, interval=wilson(count, 100))
        fields[f"{corpus}.rate"] = INADEQUATE
    store.write([(evidence("kill-matrix", Measured(fields, "gold.killed", "")), {"mutants": table}, MADE)])
    assert figures.render("kill-matrix", Lookup(store), "graders/toy/kill-matrix").title == title


@pytest.mark.parametrize(
    ("k", "title"),
    [
        (0, "It pays for none of the wrong answers tried"),
        (3, "It pays for some wrong answers of the form “halved”"),
        (30, "It pays for most wrong answers of the form “halved”"),
        (40, "It pays for every wrong answer of the form “halved”"),
    ],
)
def test_what_it_pays_for_is_named_by_the_worst_relation(tmp_path: Path, k: int, title: str) -> None:
    fields = {"accept.doubled": share(0, 40, "answers"), "accept.halved": share(k, 40, "answers")}
    drawn = made(tmp_path, "variants", fields, figure="accept-reject")
    assert drawn.title == title
    if k:
        assert drawn.table_html.index("halved") < drawn.table_html.index("doubled")


def test_a_declined_relation_is_a_hatched_gap_with_its_reason(tmp_path: Path) -> None:
    fields = {
        "reject.spaces": share(1, 40, "answers"),
        "reject.mixed": Declined("below_detection", "three golds", "give more golds"),
    }
    drawn = made(tmp_path, "variants", fields, figure="accept-reject", side="reject")
    assert re.search(r'fill="url\(#[^)]*-hatch\)" stroke-width="1.5" stroke-dasharray="4 3"', drawn.html)
    assert ">below detection</text>" in drawn.html
    assert '<span class="plate">below detection</span>' in drawn.table_html
    assert drawn.problems == []


def test_a_measured_zero_is_bold_with_its_n(lookup: Lookup) -> None:
    drawn = figures.render("accept-reject", lookup, "graders/toy/variants")
    ref = "graders/toy/variants#accept.halved"
    assert f'<tspan class="b" data-ev="{ref}">0 of 127</tspan>' in drawn.html
    assert f'<tspan data-ev="{ref.replace("halved", "sign-flipped")}">1 of 301</tspan>' in drawn.html


def test_reported_stands_open_and_dotted_beside_measured(lookup: Lookup) -> None:
    entries = "graders/toy/reported~public-card#killed a_card; graders/second/kill-matrix#gold.killed ours"
    drawn = figures.render("evidence-history", lookup, "graders/toy/kill-matrix", entries=entries)
    assert 'class="l-ink round" stroke-width="1.5" stroke-dasharray="0 3.75"' in drawn.html
    assert 'class="l-paper round"' in drawn.html
    quote = (
        '<tspan class="i">“</tspan><tspan class="i" data-ev="graders/toy/reported~public-card#killed">0 of 60</tspan>'
    )
    assert quote in drawn.html
    high = 100 * wilson(0, 60).high
    dotted = next(t for t in drawn.spec["data"] if t.get("name") == "interval")
    assert dotted["x"] == [0, pytest.approx(high)]


def test_a_census_has_no_interval_and_a_sample_has_one(lookup: Lookup) -> None:
    census = figures.render("kill-matrix", lookup, "graders/toy/kill-matrix")
    assert "in all, none left out" in census.html
    bars = [trace["error_x"] for trace in census.spec["data"] if "error_x" in trace]
    assert bars
    assert all(bar["array"] == [None] for bar in bars)
    sample = figures.render("kill-matrix", lookup, "graders/second/kill-matrix")
    bars = [trace["error_x"] for trace in sample.spec["data"] if "error_x" in trace]
    assert len(bars) == 4
    assert all(bar["array"][0] > 0 for bar in bars)


def test_rates_that_were_declined_are_hatched_and_the_count_stands(lookup: Lookup) -> None:
    drawn = figures.render("kill-matrix", lookup, "graders/toy/kill-matrix")
    for corpus in ("gold", "crossed", "near-misses"):
        assert f'data-ev="graders/toy/kill-matrix#{corpus}.killed|k"' in drawn.html
    assert drawn.html.count(">rate declined</text>") == 6  # three corpora, two drawings


def test_all_relations_are_tabled_where_only_the_worst_are_drawn(lookup: Lookup) -> None:
    drawn = figures.render("accept-reject", lookup, "graders/toy/variants", side="reject", limit="3")
    names = ["trailing zero", "percent sign", "thousands comma", "mixed number", "unknown before"]
    assert [name in drawn.table_html for name in names] == [True] * 5
    svg = drawn.html[: drawn.html.index("</svg>")]
    assert [f">{name}</text>" in svg for name in names] == [True, True, True, False, False]
    assert "every relation is in the table" in drawn.html


def test_every_peer_that_costs_more_lies_right_of_the_line(lookup: Lookup) -> None:
    drawn = figures.render("bench", lookup, "project/evidence-lens/bench")
    assert drawn.title == "Most peers cost more"
    at_one = next(t for t in drawn.spec["data"] if t["mode"] == "lines" and t["x"] == [1, 1])
    assert at_one["line"]["dash"] == "dash"
    assert ">not run</text>" in drawn.html
