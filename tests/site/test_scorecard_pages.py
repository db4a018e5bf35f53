"""A scorecard's page: what the instrument finds and misses, in words; and readings outside of what it covers."""

from __future__ import annotations

from pathlib import Path

import card_evidence
import pytest
from built_site import tree
from card_evidence import EXAM, FAILED, MADE, PASSED, PROVISIONAL
from selectolax.lexbor import LexborHTMLParser

from lens.reading import Evidence, Interval, Measured, Quantity, Subject
from measure.store import Store
from site_builder.build import build
from site_builder.commands import options

HOME = """# Cards

Of the scores, {ev}`runs/within/silent-zeros#silent` were lost in one run and {ev}`runs/beyond/silent-zeros#silent` in
another.
"""
BEYOND = "exploratory: silent-zeros version 2 is calibrated on silent from 0 to"


def run(slug: str, k: int) -> Evidence:
    silent = Quantity(k, "scores", "count", of=100, interval=Interval(max(0, k - 5) / 100, (k + 5) / 100, "wilson"))
    subject = Subject("runs", slug, f"A run {slug}", slug.ljust(64, "0"))
    return Evidence("silent-zeros", EXAM.found.version, subject, Measured({"silent": silent}, "silent", "made up"))


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("cards")
    passed, failed, provisional = card_evidence.items()
    store = Store.open(root / "data")
    store.write([passed, (run("within", 20), {}, MADE), (run("beyond", 60), {}, MADE)])
    apart = Store.open(root / "others")  # beside these, the readings would be those of an instrument that failed
    apart.write([passed, failed, provisional])
    for name, home in (("data", HOME), ("others", "# Others\n\nThree cards.\n")):
        content = root / f"content-{name}"
        content.mkdir()
        (content / "index.md").write_text(home, "utf-8")
        build(options(root / name, content, root / f"_site-{name}"))
    return root


def page(site: Path, id: str, name: str = "others") -> LexborHTMLParser:
    return tree(site / f"_site-{name}/evidence/{id}/index.html")


def words(page: LexborHTMLParser, css: str) -> list[str]:
    return [" ".join(one.text().split()) for one in page.css(css)]


def misses(page: LexborHTMLParser) -> list[str]:
    (part,) = (one for one in page.css("section.part") if one.css_first("h2").text() == "What it misses")
    return [" ".join(one.text().split()) for one in part.css("li")]


def test_a_card_that_passed(site: Path) -> None:
    here = page(site, PASSED)
    assert words(here, "h1") == ["Silent zeros, examined on the family lost"]
    assert words(here, ".dek") == ["Passed: yes. Every criterion of a calibration holds."]
    assert words(here, ".figure-title") == ["The smallest dose planted is found"]
    assert len(here.css(".figure svg")) == 2
    told = misses(here)
    assert told[0] == "Smaller than 0.02 of such scores, nothing was planted, and a rule may not be named."
    assert told[1].startswith("In the series silent was read from 0 to 0.3")
    assert len(told) == 2


def test_a_card_that_failed_and_saw_nothing(site: Path) -> None:
    here = page(site, FAILED)
    assert words(here, "h1") == ["Silent zeros, blind, examined on the family lost"]
    assert words(here, ".dek") == ["Passed: no. Readings of this version stay exploratory."]
    told = misses(here)
    assert told[0].startswith("By the size of the reading, the largest dose is not told from none: AUC 5")
    assert told[1] == "What it reads does not rise with the dose."
    low = "0 of 50 at 0.02, 0 of 50 at 0.05, 0 of 50 at 0.1, 0 of 50 at 0.3 of such scores"
    assert told[2:] == [
        f"Found less than nine times in ten: {low}.",
        "That it names nothing says little: no dose of the series is found nine times in ten.",
        "No decoy was planted: whether it names a feature of another kind is not told here.",
        "Whether its interval holds what it should is not judged: it claims none for what is marked, or what is "
        "planted has another unit.",
    ]


def test_a_card_of_too_short_a_series_is_provisional(site: Path) -> None:
    here = page(site, PROVISIONAL)
    (dek,) = words(here, ".dek")
    assert dek.startswith(
        "Passed: provisional. No criterion fails, and there was too little to pass on: 6 organisms at"
    )
    assert dek.endswith("24 intervals, of 200. Readings stay exploratory.")
    assert "Coverage is provisional: 22 of 24 intervals hold what was planted, too few to judge by." in misses(here)


def test_the_cards_of_one_instrument_lead_to_each_other(site: Path) -> None:
    links = [a.attributes["href"] for a in page(site, PASSED).css("section.part > p > a")]
    assert [link.split("/")[-2] for link in links if link] == ["scorecard~lost-blind", "scorecard~lost-short"]


def test_a_reading_outside_says_so_in_its_sheet_and_on_its_page_and_on_the_scoreboard(site: Path) -> None:
    home = tree(site / "_site-data/index.html")
    trust = [row.css_first("dd").text() for row in home.css(".sheet dl div") if row.css_first("dt").text() == "trust"]
    assert trust[0] == f"calibrated: silent-zeros version 2 passed {PASSED}"
    assert trust[1].startswith(BEYOND)
    assert trust[1].endswith("read at 0.6")
    facts = page(site, "runs/beyond/silent-zeros", "data").css("dl.facts > div")
    assert [row.css_first("dd").text() for row in facts if row.css_first("dt").text() == "trust"] == [trust[1]]
    board = tree(site / "_site-data/scoreboard/index.html")
    cells = {row.css_first("th").text(): row.css("td")[-1].text() for row in board.css("tbody tr")}
    assert cells == {"A run within": trust[0], "A run beyond": trust[1]}
    assert "Trust in each" not in board.css_first("main").text()


def test_a_scorecard_is_calibrated_by_none(site: Path) -> None:
    facts = {row.css_first("dt").text(): row.css_first("dd").text() for row in page(site, PASSED).css("dl.facts > div")}
    assert facts["trust"] == "exploratory: it is a scorecard: others are calibrated by it, and it by none"
