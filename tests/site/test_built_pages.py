"""What is on the pages of a built site: numbers with their evidence, cards, the ledger, figures, what machines read."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from pathlib import Path

import pytest
import site_evidence
from built_site import KILL, VARIANTS, files, laid_out, pages, tree

from measure.store import Store
from site_builder.build import build
from site_builder.claims.readback.digests import is_digest
from site_builder.commands import options
from site_builder.context import Options


def test_a_number_is_looked_up_stamped_and_opens_its_sheet(place: Callable[..., Options]) -> None:
    build(place())
    page = tree(place().out / "index.html")
    number = page.css_first(f'main button data[data-ev="{KILL}#gold.killed|count"]')
    assert number is not None
    assert number.text() == "2 of 92"
    assert number.attributes["value"] == "2"
    button = number.parent
    assert button is not None
    sheet = page.css_first(f"#{button.attributes['popovertarget']}")
    assert sheet is not None
    assert "popover" in sheet.attributes
    text = sheet.text()
    assert "mutants of Tidy is_equal are noticed by gold answers" in text
    assert "0.6 to 7.6\u202f%" in text
    assert "exploratory" in text
    assert f"{KILL}#gold.killed" in text
    assert page.css_first(f'data[data-ev="= {KILL}#labelled.killed / {KILL}#gold.killed | d0"]').text() == "30"
    assert page.css_first("[data-ev-claim]").text() == "hardly any"


def test_one_sheet_a_number_however_often_it_is_quoted(place: Callable[..., Options]) -> None:
    again = " and so ".join(f"{{ev}}`{KILL}#gold.killed|{fmt}`" for fmt in ("count", "pct1", "k", "count"))
    build(place(f"# Home\n\n{again}\n"))
    page = tree(place().out / "index.html")
    assert [data.text() for data in page.css("p button data")] == ["2 of 92", "2.2\u202f%", "2", "2 of 92"]
    assert len(page.css(".sheet")) == 1


def test_references_stand_in_tables_too(place: Callable[..., Options]) -> None:
    build(place(f"# Home\n\n| a | b |\n|---|---|\n| gold | {{ev}}`{KILL}#gold.killed|pct1` |\n"))
    cells = [cell.text() for cell in tree(place().out / "index.html").css("td")]
    assert cells == ["gold", "2.2\u202f%"]


def test_the_four_states_are_marked_up_apart(site: Path) -> None:
    card = tree(site / "graders/tidy-equal/index.html")
    assert card.css_first("button.n:not(.r) data").text() == "2 of 92"
    reported = card.css_first("button.r")
    assert reported.parent.text().strip().startswith("“")
    assert "a public site, 3.0.0" in reported.parent.parent.text()
    assert card.css_first("td.no button.plate").text() == "needs a callable"
    declined = card.css_first(".decline")
    assert "lens measure grader tidy-equal --corpus labelled.jsonl" in declined.css_first(".cmd").text()
    assert "not applicable" in card.css_first("span.na").text()
    assert (
        "Nothing was measured" in tree(site / "evidence/project/drawings/response/index.html").css_first("main").text()
    )


def test_a_card_answers_the_three_questions_from_its_evidence(site: Path) -> None:
    card = tree(site / "graders/tidy-equal/index.html")
    finding = card.css_first(".finding").text()
    assert "Checked against gold answers alone, 2 of 92 ways to break it would be noticed." in " ".join(finding.split())
    pays, refuses, unseen = (section.text() for section in card.css(".three > section"))
    assert "unit changed, 127 of 127" in pays
    assert "trailing zero, 127 of 127" in refuses
    assert "have a witness input" in unseen
    rows = {row.css_first("th").text(): row for row in card.css("table.two tbody tr")}
    assert list(rows)[:3] == ["Contract", "Corpus adequacy", "Kill matrix"]
    assert "needs the source" in rows["Kill matrix"].text()
    comparison = card.css_first("main").text()
    assert "the first 60 of 461 mutants in operator order" in comparison


def test_permalinks_say_where_the_number_is_quoted(site: Path) -> None:
    page = tree(site / "evidence" / KILL / "index.html")
    assert page.css_first("h1").text() == "2 of 92"
    quoted = {link.attributes["href"] for link in page.css("aside a")}
    assert "../../../../graders/tidy-equal/index.html" in quoted
    for name in ("gold.killed", "gold.rate", "labelled.killed"):
        assert page.css_first(f'[id="f.{name}"]') is not None
    assert json.loads((site / f"data/{KILL}.json").read_text())["evidence"]["instrument"] == "kill-matrix"
    assert (site / f"data/{KILL}.mutants.parquet").is_file()
    assert (site / f"data/{KILL}.mutants.csv").read_text().count("\n") == 93


def test_the_ledger_holds_every_number_a_page_prints(place: Callable[..., Options]) -> None:
    build(place(f"# Home\n\nGold kills {{ev}}`{KILL}#gold.killed`, {{ev}}`{KILL}#gold.killed|pct1`.\n"))
    ledger = tree(place().out / "ledger/index.html")
    (home,) = [body for body in ledger.css("table.ledger tbody") if body.css_first("th").text() == "Home"]
    (cells,) = [[cell.text() for cell in row.css("td")] for row in home.css("tr") if row.css_first("td")]
    assert cells == ["Gold kills 2 of 92, 2.2\u202f%.", f"{KILL}#gold.killed 2"]


def test_figures_of_a_record_are_drawn_by_plotly_on_one_page(place: Callable[..., Options]) -> None:
    shown = "\n".join(f"```{{figure}} accept-reject {VARIANTS} side={side}\n```\n" for side in ("accept", "reject"))
    out = place(f"# Home\n\n{shown}").out
    build(place(f"# Home\n\n{shown}"))
    drawn = tree(out / f"figures/{VARIANTS}/index.html")
    specs = {part.attributes["id"]: json.loads(part.css_first(".spec").text()) for part in drawn.css(".plotted")}
    assert specs == {
        name: json.loads((out / f"figures/{VARIANTS}/{name}.json").read_bytes())
        for name in ("accept-reject~accept", "accept-reject~reject")
    }
    linked = [link.attributes["href"] for link in tree(out / "index.html").css(".figure-files > a:nth-child(4)")]
    assert linked == [f"figures/{VARIANTS}/index.html#{name}" for name in specs]
    assert "style-src 'self' 'unsafe-inline'" in (out / f"figures/{VARIANTS}/index.html").read_text()


def test_declines_are_indexed_with_their_remedies(site: Path) -> None:
    text = tree(site / "declined/index.html").css_first("main").text()
    assert "no run record with its leaves was given" in text
    assert "lens measure grader strict-last --record rollouts.jsonl" in text
    assert text.count("no run record with its leaves was given") == 1
    assert "expresses no preferences" not in text


def test_a_digest_of_nothing_but_digits_is_no_number(place: Callable[..., Options]) -> None:
    store = Store.open(place().data)
    assert is_digest("a1a1a1a1a1a1a1a1", store)  # a fingerprint of the made-up evidence
    assert not is_digest("a1a1a1a1a1a1a1a6", store)
    assert not is_digest("a1", store)


def test_every_page_fits_its_budget_and_needs_no_script(site: Path) -> None:
    css = (site / "site.css").read_bytes()
    for path in laid_out(site):
        html = path.read_bytes()
        assert len(gzip.compress(html, mtime=0)) + len(gzip.compress(css, mtime=0)) <= 40_000, path
        assert len(html) + len(css) <= 250_000, path
        text = html.decode()
        scripts = re.findall(r"<script(?![^>]*ld\+json)[^>]*>", text)
        assert bool(scripts) == (path.parent.name == "search"), path
        assert not re.search(r"\sstyle=", text), path
        assert "default-src 'none'; script-src 'self'; style-src 'self'" in text
        requests = re.findall(r'<(?:link rel="(?:stylesheet|icon)"|script src)', text)
        assert len(requests) + 1 <= 5, path


def test_links_are_relative_and_ids_are_unique(site: Path) -> None:
    for path in pages(site):
        page = tree(path)
        ids = [node.attributes["id"] for node in page.css("[id]")]
        assert len(ids) == len(set(ids)), path
        for node in page.css("main [href], header [href], footer [href], head link[rel=stylesheet]"):
            href = node.attributes["href"] or ""
            assert not href.startswith("/"), (path, href)
            if ":" not in href and "#" not in href:
                assert (path.parent / href).is_file(), (path, href)
        for button in page.css("button[popovertarget]"):
            assert button.attributes["popovertarget"] in ids, path


def test_machine_readable_things_parse(site: Path) -> None:
    atom = ET.parse(site / "changes/feed.xml").getroot()
    names = {"a": "http://www.w3.org/2005/Atom"}
    assert atom.find("a:updated", names).text == "2026-11-29T11:00:00+00:00"
    assert KILL in atom.find("a:entry/a:summary", names).text
    sitemap = ET.parse(site / "sitemap.xml").getroot()
    assert sum(1 for _ in sitemap) == len(laid_out(site))
    page = tree(site / "evidence" / KILL / "index.html")
    dataset = json.loads(page.css_first('script[type="application/ld+json"]').text())
    assert (dataset["@type"], dataset["identifier"]) == ("Dataset", KILL)
    for name in ("og:title", "og:description", "og:url"):
        assert page.css_first(f'meta[property="{name}"]').attributes["content"]
    croissant = json.loads((site / "data/croissant.json").read_bytes())
    listed = croissant["distribution"][0]
    assert listed["sha256"] == hashlib.sha256((site / "data/fields.csv").read_bytes()).hexdigest()
    header = (site / "data/fields.csv").read_text("utf-8").splitlines()[0].split(",")
    assert [one["name"] for one in croissant["recordSet"][0]["field"]] == header
    index = (site / "search-index.js").read_text("utf-8")
    entries = json.loads(index.removeprefix("window.lensIndex=").removesuffix(";\n"))
    assert any(KILL in entry[2] and entry[1] == f"evidence/{KILL}/index.html" for entry in entries)


def test_changes_compare_with_what_was_published(tmp_path: Path, place: Callable[..., Options]) -> None:
    data = tmp_path / "data"
    site_evidence.write(data)
    chosen = options(data, place().content, tmp_path / "_site")
    build(chosen)
    published = json.loads((chosen.out / "published.json").read_bytes())
    published["records"][KILL] = "0" * 64
    published["records"]["graders/gone/contract"] = "1" * 64
    del published["records"]["graders/tidy-equal/variants"]
    (data / "published.jsonl").write_text(json.dumps(published) + "\n")
    build(chosen)
    first = tree(chosen.out / "changes/index.html").css_first(".part")
    found = [heading.text() for heading in first.css("h3")]
    assert found == ["Measured for the first time", "Measured again, with another result", "Withdrawn"]
    items = [[item.text() for item in block.css("li")] for block in first.css("ul")]
    assert items == [["graders/tidy-equal/variants"], [KILL], ["graders/gone/contract"]]


def test_text_from_outside_is_escaped(tmp_path: Path, place: Callable[..., Options]) -> None:
    from lens.reading import Evidence, Label, Measured, Subject
    from measure.store import Store

    evil = "<script>alert(1)</script>\"'&"
    subject = Subject("graders", "evil", f"Evil {evil}", "f" * 64, f"file:{evil}", evil)
    reading = Measured({"shape": Label(evil, note=evil)}, "shape", evil)
    Store.open(tmp_path / "data").write([(Evidence("contract", 1, subject, reading), {}, site_evidence.MADE)])
    chosen = options(tmp_path / "data", place("# Home\n\nText.\n").content, tmp_path / "_site")
    build(chosen)
    for path in pages(chosen.out):
        assert "<script>alert" not in path.read_text("utf-8"), path
    page = tree(chosen.out / "evidence/graders/evil/contract/index.html")
    assert evil in page.css_first('[data-said="graders/evil/contract@scope"]').text()


def test_what_nobody_measured_is_never_called_absent(tmp_path: Path, place: Callable[..., Options]) -> None:
    root = tmp_path / "data"
    site_evidence.write(root, "strict-last", "contract")
    chosen = options(root, place("# Home\n\n```{graders}\n```\n").content, tmp_path / "_site")
    build(chosen)
    for page in ("index.html", "graders/index.html"):
        cells = [cell.text() for cell in tree(chosen.out / page).css("table.graders tbody td")]
        assert cells[:3] == ["not measured"] * 3
    card = tree(chosen.out / "graders/strict-last/index.html").css_first(".three").text()
    assert "none seen" not in card
    site_evidence.write(root, "strict-last", "variants")
    build(chosen)
    assert "none seen" not in tree(chosen.out / "graders/index.html").css_first("table.graders").text()


def test_source_text_is_shown_only_where_it_is_asked_for(tmp_path: Path, place: Callable[..., Options]) -> None:
    from lens.reading import Evidence, Measured, Quantity, Subject
    from measure.store import Store

    grader = tmp_path / "mine.py"
    grader.write_text(
        "def reward(response, reference):\n    if response:\n        return 1.0  # quince\n    return 0.0\n"
    )
    subject = Subject("graders", "mine", "Mine", "f" * 64, f"{grader}:reward", "MIT")
    reading = Measured({"gold.taken": Quantity(1, "branch arcs", "count", of=2)}, "gold.taken", "two arcs")
    lines = {
        "file": ["mine.py"] * 3,
        "function": ["reward"] * 3,
        "line": [2, 3, 4],
        "dead": [False] * 3,
        "gold": [9, 9, 0],
    }
    arcs = {"file": ["mine.py"] * 2, "function": ["reward"] * 2, "from": [2, 2], "to": [3, 4], "gold": [True, False]}
    evidence = Evidence("branch-coverage", 1, subject, reading)
    Store.open(tmp_path / "data").write([(evidence, {"lines": lines, "arcs": arcs}, site_evidence.MADE)])
    content = place("# Home\n\nText.\n").content
    without = options(tmp_path / "data", content, tmp_path / "_site")
    build(without)
    assert not any(b"quince" in data for data in files(without.out).values())
    shown = options(tmp_path / "data", content, tmp_path / "_shown", with_source=True)
    build(shown)
    page = tree(shown.out / "graders/mine/source/index.html")
    rows = {row.attributes["value"]: row for row in page.css("ol.lines li")}
    assert rows["3"].css_first("code").text() == "        return 1.0  # quince"
    assert rows["4"].css_first(".g").attributes["class"] == "g none"
    assert rows["2"].css_first(".note").text() == "nothing goes to return 0.0"
    assert rows["2"].css_first(".note a").attributes["href"] == f"#{rows['4'].attributes['id']}"
    links_ = [link.attributes["href"] for link in tree(shown.out / "graders/mine/index.html").css("main a")]
    assert "../../graders/mine/source/index.html" in links_


def test_a_long_listing_has_a_page_of_its_own(
    tmp_path: Path, data: Path, place: Callable[..., Options], monkeypatch: pytest.MonkeyPatch
) -> None:
    from site_builder.pages import grader_lines

    monkeypatch.setattr(grader_lines, "LINES", 39)  # the made-up graders have forty
    out = tmp_path / "_long"
    build(options(data, place("# Home\n\nText.\n").content, out))
    card = tree(out / "graders/tidy-equal/index.html")
    assert card.css_first('[id*="coverage-lines"]') is None
    assert card.css_first('a[href="../../graders/tidy-equal/lines/index.html"]') is not None
    assert tree(out / "graders/tidy-equal/lines/index.html").css_first('[id*="coverage-lines"]') is not None


def test_lines_too_long_for_one_ledger_stand_on_several(
    place: Callable[..., Options], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from dataclasses import replace

    from site_builder.pages import ledger

    def rows(folder: Path) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        parts = [folder / "index.html", *sorted(folder.glob("*/index.html"), key=lambda path: int(path.parent.name))]
        for body in (body for path in parts for body in tree(path).css("table.ledger tbody")):
            kept = found.setdefault(body.css_first("th").text(), [])
            kept += [row.text() for row in body.css("tr") if row.css_first("td")]
        return found

    chosen = place(
        "# Home\n\n" + "".join(f"In case {{ev}}`{KILL}#gold.killed|{fmt}`.\n\n" for fmt in ("k", "n", "pct"))
    )
    build(chosen)
    whole = rows(chosen.out / "ledger")
    assert len(whole["Home"]) == 3
    monkeypatch.setattr(ledger, "LONG", 200)
    cut = replace(chosen, out=tmp_path / "cut", cache=tmp_path / "cache")
    build(cut)
    assert len(list((cut.out / "ledger").glob("*/index.html"))) > 2
    assert rows(cut.out / "ledger") == whole
