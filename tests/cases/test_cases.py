"""Public bug reports: an audit names the class of each open one, and of none that is fixed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from auditing import audit  # type: ignore[import-not-found]
from classes import CLASSES  # type: ignore[import-not-found]

from lens.graders.subject import resolve


def _cases(shared: Path) -> dict[str, dict[str, str]]:
    with (shared / "cases" / "graders.jsonl").open(encoding="utf-8") as stream:
        return {case["id"]: case for case in map(json.loads, stream)}


def test_every_public_case_has_a_class(shared: Path) -> None:
    assert set(_cases(shared)) == set(CLASSES)


@pytest.mark.parametrize("slug", sorted({slug for slug, _ in CLASSES.values()}))
def test_an_audit_names_the_classes_of_open_cases_alone(slug: str, shared: Path) -> None:
    cases = _cases(shared)
    about = {case: defect for case, (grader, defect) in CLASSES.items() if grader == slug}
    named = audit(resolve(slug))
    still_open = {case for case in about if cases[case]["reproduced"] == "yes"}
    assert {case for case, defect in about.items() if defect in named} == still_open
