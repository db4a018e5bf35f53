"""Run pages: the story in order, what rests on the record declined in place, and published figures beside ours."""

from __future__ import annotations

from pathlib import Path

import run_evidence
from built_site import tree

from measure.store import Store
from site_builder.build import build
from site_builder.commands import options

RUN = "runs/made-run"


def text(path: Path, selector: str = "main") -> str:
    return " ".join(tree(path / "index.html").css_first(selector).text().split())


def headings(path: Path, level: str = "h2") -> list[str]:
    return [heading.text() for heading in tree(path / "index.html").css(f"{level}:not(.printed)")]


def test_a_run_page_tells_the_story_in_order(site: Path) -> None:
    assert headings(site / RUN) == [
        "What the record holds, and whether it replays",
        "What the score was made of",
        "What selection did with it",
        "What the update kept and cancelled",
        "How the policy moved",
        "Published figures, and why they differ",
        "Every reading",
        "What was declined, and what would measure it",
    ]
    found = text(site / RUN, ".finding")
    assert "Its record holds 640 rollouts of 40 steps." in found
    assert "A known rule turns its scores into its advantages, to within 3 × 10⁻⁶." in found
    assert "of what its rollouts asked for cancels; unrelated gradients would cancel" in found


def test_what_takes_more_room_has_pages_of_its_own(site: Path) -> None:
    beside = [one.attributes["href"].split("/")[-2] for one in tree(site / RUN / "index.html").css(".more a")]
    assert beside == ["another-reward", "update"]
    for name in beside:
        assert tree(site / RUN / name / "index.html").css_first("figure") is not None
    assert "readings" in [
        one.attributes["href"].split("/")[-2] for one in tree(site / RUN / "index.html").css("main a")
    ]


def test_alarms_stand_with_their_cost_and_the_whole_sweep(site: Path) -> None:
    page = site / "runs/gone-over"
    assert headings(page)[:1] == ["When a warning came, and what it cost"]
    figures = [one.attributes["aria-labelledby"] for one in tree(page / "index.html").css("figure")]
    assert figures == [f"fig-runs-gone-over-{name}-{name}-title" for name in ("alarms", "window-sweep")]
    told = [clause.text() for clause in tree(page / "index.html").css(".clauses li b")]
    assert told == ["Alarms", "Window sweep", "Markers", "Transition"]
    assert headings(page / "series") == [
        "The series",
        "How long the change took",
        "What choosing among samples would have gained",
    ]


def test_series_alone_decline_where_their_readings_would_stand(site: Path) -> None:
    page = site / "runs/made-series"
    assert "Its record holds series by step and no rollouts." in text(page, ".finding")
    sections = {one.css_first("h2").text(): one for one in tree(page / "index.html").css("section.part")}
    assert list(sections) == [
        "What the record holds, and whether it replays",
        "What the update kept and cancelled",
        "How the policy moved",
        "Every reading, in a line",
        "What was declined, and what would measure it",
    ]
    for name, remedy in (
        ("What the record holds, and whether it replays", "write rollouts into the record"),
        ("What the update kept and cancelled", "--model FOLDER computes them"),
        ("How the policy moved", "write rollouts into the record"),
    ):
        assert sections[name].css_first(".decline .cmd").text() == remedy
    box = sections["What was declined, and what would measure it"].css(".decline")
    assert len(box) == 1
    assert "What the score was made of, Advantages" in box[0].text()


def test_published_figures_stand_beside_ours_with_the_reason(site: Path) -> None:
    table = tree(site / RUN / "index.html").css_first('[aria-label="Published figures beside ours"]')
    rows = {row.css_first("th").text(): [cell.text() for cell in row.css("td")] for row in table.css("tbody tr")}
    assert rows["steps"][1] == "40"
    assert rows["gradient norm highest"][1:] == ["not measured as such", "it is the norm before clipping"]


def test_the_index_has_every_run_and_its_replay(site: Path) -> None:
    rows = {
        row.css_first("th").text(): [cell.text() for cell in row.css("td")]
        for row in tree(site / "runs/index.html").css("tbody tr")
    }
    assert rows["A made-up run"][:3] == ["a made-up trainer", "640 rollouts", "1 of 44 rules fit"]
    assert rows["A made-up run, series alone"][2] == "not in the record"
    links = [one.attributes["href"] for one in tree(site / "runs/index.html").css("nav a")]
    assert any(link.endswith("runs/index.html") or link.endswith("runs/") for link in links)


def test_a_record_that_no_rule_replays_says_so_first(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    store.write([run_evidence.coverage(), run_evidence.replay(accepted=0)])
    (tmp_path / "content").mkdir()
    (tmp_path / "content" / "index.md").write_text("# Home\n")
    build(options(tmp_path / "data", tmp_path / "content", tmp_path / "_site"))
    found = text(tmp_path / "_site" / RUN, ".finding")
    assert "No rule known here turns its scores into its advantages, so what rests on them is declined." in found
