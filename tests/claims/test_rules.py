"""The rules' registry and their pages."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import Check

from site_builder.claims.rules import everything, pages, registry

CONTENT = Path(__file__).parents[2] / "content" / "rules"


def test_codes_are_stable_and_names_unique() -> None:
    rules = everything().values()
    assert all(re.fullmatch(r"EV\d{3}", rule.code) for rule in rules)
    assert len({rule.name for rule in rules}) == len(rules)


def test_only_rules_about_unbacked_numbers_can_be_waived() -> None:
    waivable = {rule.name for rule in everything().values() if rule.waivable}
    assert waivable == {
        "naked-number",
        "number-word",
        "number-in-code",
        "number-in-math",
        "number-in-attribute",
        "unit-number",
        "arithmetic",
        "list-number",
    }


def test_every_rule_says_what_it_finds_and_how_to_mend_it() -> None:
    for rule in everything().values():
        assert rule.page.startswith(f"**{rule.code} {rule.name}**: ")
        assert "\nMend it: " in rule.page


def test_the_rules_pages_are_the_rules_own() -> None:
    assert {path.name: path.read_text() for path in CONTENT.glob("*.md")} == pages()


def test_the_rules_pages_pass_the_check(check: Check) -> None:
    for name, text in pages().items():
        assert (name, check(text)) == (name, [])


def test_source_rules_stay_apart_from_the_read_backs() -> None:
    assert all(code < "EV100" for code in registry())
