"""Report formats: what GitHub, code scanning and test reporters read out of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from site_builder.claims import formats
from site_builder.claims.engine import Report
from site_builder.claims.finding import Finding
from site_builder.claims.rules import registry
from site_builder.commands.claims import FORMATS


def finding(line: int = 3, message: str = "the store renders '5 of 374'") -> Finding:
    return Finding(
        "EV004",
        "stamp-differs",
        "docs/a b.md",
        line,
        10,
        8,
        message,
        "mend, it: 100%",
        "It kills 6 of 374.",
        "6 of 374",
    )


def report(count: int = 1) -> Report:
    return Report([finding(line) for line in range(1, count + 1)], ["docs/a b.md", "clean.md"], stamps=7)


def test_every_format_is_offered() -> None:
    assert sorted(FORMATS) == formats.names()


def test_github_escapes_and_points_at_the_characters() -> None:
    first, last = formats.render("github", report()).splitlines()
    assert first == (
        "::error file=docs/a b.md,line=1,col=10,endColumn=17,title=EV004 stamp-differs::"
        "the store renders '5 of 374'%0Amend, it: 100%25"
    )
    assert last == "1 finding in 2 files, 7 stamps checked"


def test_github_annotates_ten_and_sums_up_the_rest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    text = formats.render("github", report(13))
    assert text.count("::error ") == 10
    assert "3 more findings are in the step summary" in text
    rows = [line for line in (tmp_path / "summary.md").read_text().splitlines() if line.startswith("| `docs")]
    assert [row.split("`")[1] for row in rows] == ["docs/a b.md:11:10", "docs/a b.md:12:10", "docs/a b.md:13:10"]


def test_github_without_a_summary_prints_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)
    assert "docs/a b.md:11:10: EV004" in formats.render("github", report(11))


def test_sarif_names_rules_places_and_columns_in_code_points() -> None:
    run = json.loads(formats.render("sarif", report()))["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    result = run["results"][0]
    assert [rule["id"] for rule in rules] == list(registry())
    assert all(rule["help"]["markdown"] and rule["shortDescription"]["text"] for rule in rules)
    assert rules[result["ruleIndex"]]["id"] == result["ruleId"] == "EV004"
    assert run["columnKind"] == "unicodeCodePoints"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "docs/a%20b.md"
    assert (place["region"]["startLine"], place["region"]["startColumn"], place["region"]["endColumn"]) == (1, 10, 18)


def test_junit_counts_a_failure_a_finding_and_a_pass_a_clean_file() -> None:
    broken = Report([finding(message="a control \x0b and <b>")], ["docs/a b.md", "clean.md"])
    root = ElementTree.fromstring(formats.render("junit", broken))
    assert (root.get("tests"), root.get("failures")) == ("2", "1")
    assert [suite.get("name") for suite in root] == ["docs/a b.md", "clean.md"]
    assert root[0][0][0].get("message") == "a control \ufffd and <b>"


def test_text_puts_the_caret_under_wide_characters_and_tabs() -> None:
    wide = Finding("EV020", "naked-number", "a.md", 1, 5, 3, "m", "", "\t准确率374。", "374")
    _, source, caret, *_ = formats.render("text", Report([wide], ["a.md"])).splitlines()
    assert source == "    \t准确率374。"
    assert caret == "    \t" + " " * 6 + "^^^"


def test_text_shows_what_lies_around_a_finding_in_a_long_line() -> None:
    long = Finding("EV020", "naked-number", "a.md", 1, 501, 3, "m", "", "x" * 500 + "374" + "y" * 500, "374")
    _, source, caret, *_ = formats.render("text", Report([long], ["a.md"])).splitlines()
    assert len(source) < 120
    assert source[caret.index("^") : caret.index("^") + 3] == "374"
    assert re.fullmatch(r" +\^{3}", caret)
