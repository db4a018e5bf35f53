"""A repaired copy of each grader with an open case: its class is no longer named, and no other is named instead.

Among the others are the oracle refused and the answer to another question paid: a repair breaks nothing.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from auditing import asking_about, audit, classes, classes_about  # type: ignore[import-not-found]
from classes import CLASSES  # type: ignore[import-not-found]
from repairs import repaired, repairs  # type: ignore[import-not-found]

from lens.graders.subject import resolve

SLOW = {"math-verify", "trl-accuracy-reward", "verl-math-verify"}  # sympy decides
RANDOM = {"mixed-language-paid"}  # the language detector draws from a generator of its own


def test_every_open_case_has_a_repair(shared: Path) -> None:
    with (shared / "cases" / "graders.jsonl").open(encoding="utf-8") as stream:
        still_open = {case["id"] for case in map(json.loads, stream) if case["reproduced"] == "yes"}
    assert set(repairs()) == {CLASSES[case] for case in still_open}


@pytest.mark.parametrize(("slug", "defect"), repairs())
def test_a_repaired_copy_is_not_named(slug: str, defect: str, tmp_path: Path) -> None:
    repair = repairs()[slug, defect]
    copy = repaired(resolve(slug), repair, tmp_path)
    if slug in SLOW:
        before = classes_about(slug, frozenset(other for one, other in repairs() if one == slug))
        with asking_about({defect}):
            after = audit(copy)
    else:
        before, after = classes(slug), audit(copy)
    assert defect in before
    assert defect not in after
    assert after - before <= {*repair.brings, *RANDOM}
