"""Public bug reports: an audit names the class of each open one, and of none that is fixed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from auditing import classes  # type: ignore[import-not-found]
from classes import CLASSES  # type: ignore[import-not-found]


def _cases(shared: Path) -> dict[str, dict[str, str]]:
    with (shared / "cases" / "graders.jsonl").open(encoding="utf-8") as stream:
        return {case["id"]: case for case in map(json.loads, stream)}


def test_every_public_case_has_a_class(shared: Path) -> None:
    assert set(_cases(shared)) == set(CLASSES)


@pytest.mark.parametrize("case", [pytest.param(one, marks=pytest.mark.xdist_group(CLASSES[one][0])) for one in CLASSES])
def test_audit_names_the_class_of_open_cases_alone(case: str, shared: Path) -> None:
    slug, defect = CLASSES[case]
    still_open = _cases(shared)[case]["reproduced"] == "yes"
    assert (defect in classes(slug)) is still_open
