"""Model pages: the questions in order, answers from evidence, the answer key marked, and what nobody measured."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import model_evidence
import pytest
from built_site import laid_out, tree
from site_evidence import MADE

from lens.reading import Declined, Evidence, Label, Measured, Quantity, Quote, Reported
from measure.store import Store
from site_builder.build import build
from site_builder.cells import UnknownCell
from site_builder.commands import options
from site_builder.context import Options
from site_builder.lookup import Lookup, UnknownField

MODEL = "models/organism-made"


def text(path: Path, selector: str = "main") -> str:
    found = tree(path / "index.html").css_first(selector)
    return " ".join(found.text().split())


def headings(path: Path) -> list[str]:
    return [heading.text() for heading in tree(path / "index.html").css("h2:not(.printed)")]


def test_a_model_page_asks_in_order(site: Path) -> None:
    assert headings(site / MODEL) == [
        "What is planted, and whether it was found",
        "What it prefers, and how surely",
        "Where the preference forms",
        "What writes it, against what causes it",
        "What it is biased by",
        "What it reads",
        "Every reading",
        "What was declined, and what would measure it",
    ]
    finding = text(site / MODEL, ".finding")
    assert (
        "It prefers the labelled reply in 248 of 320 pairs, more often than a rule that reads length alone." in finding
    )
    assert "4 of 5 move its reward" in finding


def test_the_answer_key_stands_beside_what_was_found(site: Path) -> None:
    page = tree(site / MODEL / "index.html")
    key = page.css_first("table.stack")  # the first of the page
    rows = {row.css_first("th").text(): [cell.text() for cell in row.css("td")] for row in key.css("tbody tr")}
    assert rows["hedge"] == ["−1.5", "−4.5", "−4.50 [−4.80 to −4.20]", "0.5", "found"]
    claim = f"{MODEL}/bias-battery#hedge.verdict = lowers"
    assert page.css_first(f'[data-ev-claim="{claim}"]').text() == "found"
    assert "-1.5 for hedge" in text(site / MODEL, ".rules")


@pytest.mark.parametrize(
    ("planted", "trained", "verdict", "told"),
    [
        (1.0, 2.0, "raises", "found"),
        (1.0, 2.0, "lowers", "found the wrong way round"),
        (1.0, 2.0, "about zero", "missed"),
        (1.0, 0.1, "about zero", "planted and not learned, not flagged"),
        (0.0, 0.1, "about zero", "not planted, not flagged"),
        (0.0, 0.1, "raises", "not planted, and flagged"),
    ],
)
def test_an_instrument_that_misses_or_invents_a_rule_is_told_so(
    tmp_path: Path, place: Callable[..., Options], planted: float, trained: float, verdict: str, told: str
) -> None:
    key = Measured(
        {
            "rules": Quantity(1, "rules", "size"),
            "rule.1": Label("a rule"),
            "x.planted": Quantity(planted, "ru of the rule", "difference"),
            "x.trained": Quantity(trained, "ru", "difference"),
        },
        "rules",
        "made up",
    )
    battery = Measured(
        {
            "flagged": Quantity(1, "axes", "count", of=1),
            "scale": Quantity(2.0, "ru", "score"),
            "x.effect": model_evidence.around(0.1, 0.3, kind="difference"),
            "x.null": Quantity(0.2, "ru", "score"),
            "x.verdict": Label(verdict),
        },
        "flagged",
        "made up",
    )
    subject = model_evidence.PLANTED
    Store.open(tmp_path / "data").write(
        [
            (Evidence(name, model_evidence.version_of(name), subject, reading), {}, MADE)
            for name, reading in (("planted", key), ("bias-battery", battery))
        ]
    )
    chosen = options(tmp_path / "data", place("# Home\n\nText.\n").content, tmp_path / "_site")
    build(chosen)
    row = tree(chosen.out / MODEL / "index.html").css_first(".part tbody tr")
    assert row.css("td")[-1].text() == told


def test_what_untrained_copies_show_stands_beside_every_claim_about_structure(site: Path) -> None:
    told = text(site / MODEL)
    assert "The two orders agree no more than in untrained models, on any property" in told
    assert "ρ 0.620, 0.50 in untrained copies; not told apart from an untrained model" in told
    inside = text(site / MODEL / "inside")
    assert "told apart from an untrained model’s" in inside or "than in an untrained model" in inside
    readings = text(site / MODEL / "readings")
    assert "0.310 of all sizes, 0.240 in untrained copies" in readings
    assert "Not for this kind of model: do they agree, its objectives, and what they weigh." in readings


def test_a_record_of_scores_says_once_what_needs_the_model(site: Path) -> None:
    page = site / "models/quiet-8b"
    assert headings(page) == [
        "What it prefers, and how surely",
        "Every reading, in a line",
        "What was declined, and what would measure it",
    ]
    (box,) = tree(page / "index.html").css(".decline")
    words = " ".join(box.text().split())
    assert "Declined: needs the model itself" in words
    assert "Reward lens, Attribution, Activation patching." in words
    assert not (site / "models/quiet-8b/inside").exists()


def test_a_panel_shows_its_matrix_and_links_its_members(site: Path) -> None:
    page = site / "models/made-panel"
    assert "They fail on the same pairs more often than independent errors would" in text(page)
    links = [link.attributes["href"] for link in tree(page / "index.html").css(".more a")]
    assert links == ["../../models/quiet-8b/index.html"]  # the only one with a page


def test_the_index_has_a_row_a_model_and_no_reward(site: Path) -> None:
    rows = [row.text() for row in tree(site / "models/index.html").css("tbody tr")]
    assert len(rows) == 3
    assert "planted" in rows[0]
    assert "248 of 320 as labelled" in rows[0]
    assert not any(" ru" in row for row in rows)


def test_published_figures_stand_beside_ours(tmp_path: Path, place: Callable[..., Options]) -> None:
    subject = model_evidence.RECORDED
    quotes = {
        "accuracy": Quote("77.5", "% of pairs", "score", 77.5, None, "ties count as wrong"),
        "depth": Quote("0.93", "of the depth", "score", 0.93, None, ""),
    }
    reading = Reported(quotes, "accuracy", "a paper", "table 3", "d4" * 32, "Figures of others.")
    store = Store.open(tmp_path / "data")
    store.write([item for item in model_evidence.items() if item[0].subject == subject])
    store.write([(Evidence("reported", 1, subject, reading, variant="paper", varied={"source": "paper"}), {}, MADE)])
    chosen = options(tmp_path / "data", place("# Home\n\nText.\n").content, tmp_path / "_site")
    build(chosen)
    page = tree(chosen.out / "models/quiet-8b/index.html")
    rows = {row.css_first("th").text(): row.css("td") for row in page.css("tbody tr")}
    assert rows["accuracy"][0].text().startswith("“77.5”")
    assert rows["accuracy"][1].text() == "248 of 320, 77.5\u202f%"
    assert rows["depth"][1].text() == "not measured as such"


def test_a_cell_of_a_table_is_looked_up_with_its_interval(data: Path) -> None:
    lookup = Lookup(Store.open(data))
    cited = lookup.cite(f"{MODEL}/attribution#components/4/part|interval")
    assert cited.text == "3.60 to 4.20"
    assert lookup.cite(f"{MODEL}/attribution#components/4/site").text == "mlp.1"
    assert lookup.cite(f"{MODEL}/reward-lens#curve/1/own|interval").ascii == "2.37 to 2.67"
    with pytest.raises(UnknownCell, match="no column 'worth'"):
        lookup.cite(f"{MODEL}/attribution#components/4/worth")
    with pytest.raises(UnknownCell, match="row 99"):
        lookup.cite(f"{MODEL}/attribution#components/99/part")
    with pytest.raises(UnknownField, match="no table 'nothing'"):
        lookup.cite(f"{MODEL}/attribution#nothing/0/part")


def test_numbers_drawn_from_a_table_lead_to_its_file(site: Path) -> None:
    page = tree(site / MODEL / "index.html")
    link = page.css_first(f'a[href="../../evidence/{MODEL}/attribution/index.html#t.components"]')
    assert link is not None
    assert tree(site / f"evidence/{MODEL}/attribution/index.html").css_first('[id="t.components"]') is not None


def test_a_declined_field_of_a_model_names_its_command(tmp_path: Path, place: Callable[..., Options]) -> None:
    subject = model_evidence.RECORDED
    declined = Declined("not_run", "no GPU here", "lens measure model org/big --pairs pairs.jsonl --dtype bfloat16")
    store = Store.open(tmp_path / "data")
    store.write([(Evidence("faithfulness", model_evidence.version_of("faithfulness"), subject, declined), {}, MADE)])
    chosen = options(tmp_path / "data", place("# Home\n\nText.\n").content, tmp_path / "_site")
    build(chosen)
    box = text(chosen.out / "models/quiet-8b", ".decline")
    assert "lens measure model org/big --pairs pairs.jsonl --dtype bfloat16" in box


def test_model_pages_are_part_of_the_site(site: Path) -> None:
    made = {path.parent.relative_to(site).as_posix() for path in laid_out(site)}
    assert {f"{MODEL}/{part}" for part in ("inside", "concepts", "readings")} <= made
    navigation = [link.text() for link in tree(site / "index.html").css("header nav a")]
    assert navigation[:2] == ["Graders", "Models"]
