"""Every forgery is caught where it stands, by its rule alone; no honest text raises an alarm."""

from __future__ import annotations

from collections import Counter

import pytest
from conftest import Check
from fixture_files import FOLDER, Case, cases

from site_builder.claims.finding import Finding
from site_builder.claims.rules import everything

FORGERIES = cases("EV*.md")
HONEST = cases("honest*.md")


def places(findings: list[Finding]) -> tuple[str, ...]:
    return tuple(f"{one.line}:{one.column} {' '.join(one.text.split())}" for one in findings)


@pytest.mark.parametrize("case", FORGERIES, ids=str)
def test_forgery_is_caught_where_it_stands(case: Case, check: Check) -> None:
    findings = check(case.text, case.syntax, case.scope)
    assert {one.code for one in findings} == {case.code}
    assert places(findings) == case.found


@pytest.mark.parametrize("case", HONEST, ids=str)
def test_honest_text_raises_no_alarm(case: Case, check: Check) -> None:
    assert check(case.text, case.syntax, case.scope) == []


@pytest.mark.parametrize("code", sorted({case.code for case in FORGERIES}))
def test_disabling_a_rule_makes_exactly_its_fixtures_fail(code: str, check: Check) -> None:
    missed = {
        str(case)
        for case in FORGERIES
        if places(check(case.text, case.syntax, case.scope, without={code})) != case.found
    }
    assert missed == {str(case) for case in FORGERIES if case.code == code}


def test_no_two_fixtures_share_rule_and_route() -> None:
    assert [
        key for key, times in Counter((case.code, case.route) for case in FORGERIES + HONEST).items() if times > 1
    ] == []


def test_every_rule_has_fixtures_named_after_it() -> None:
    named = {f"{rule.code}-{rule.name}" for rule in everything().values() if rule.name != "waiver-count"}
    assert {path.stem for path in FOLDER.glob("EV*.md")} == named
    assert {case.code for case in FORGERIES} == {name[:5] for name in named}


def test_there_are_enough_of_each() -> None:
    assert len({case.route for case in FORGERIES}) >= 80
    assert len(HONEST) >= 40


@pytest.mark.parametrize("case", FORGERIES + HONEST, ids=str)
def test_line_ends_and_a_byte_order_mark_change_nothing(case: Case, check: Check) -> None:
    unix = check(case.text, case.syntax, case.scope)
    windows = check(case.text.replace("\n", "\r\n"), case.syntax, case.scope)
    assert [(one.code, one.line, one.column) for one in windows] == [(one.code, one.line, one.column) for one in unix]
