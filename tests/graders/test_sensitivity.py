"""Sensitivity: shares of a linear score are known in closed form."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import answered, fields, planted, value

from lens.graders.instruments.sensitivity import sensitivity
from lens.reading import Declined, Quantity

GOLDS = ["a", "b", "c", "d"]


def test_shares_of_a_linear_score(tmp_path: Path) -> None:
    source = "def grade(response, gold, length, cost):\n    return 3 * length + cost\n"
    rows = answered(GOLDS, length=[0.0, 1.0, 0.5, 0.2], cost=[0.0, 1.0, 0.3, 0.1])
    found = fields(sensitivity(planted(tmp_path, source, rows)))
    assert value(found["length.total"]) == pytest.approx(0.9, abs=0.03)
    assert value(found["cost.total"]) == pytest.approx(0.1, abs=0.03)
    assert value(found["response.total"]) == pytest.approx(0.0, abs=0.01)
    length = found["length.total"]
    assert isinstance(length, Quantity)
    assert length.interval is not None
    assert length.interval.low <= 0.9 <= length.interval.high + 0.02


def test_a_grader_of_text_alone_is_not_asked(tmp_path: Path) -> None:
    reading = sensitivity(planted(tmp_path, "def grade(response, gold):\n    return 1.0\n", answered(GOLDS)))
    assert isinstance(reading, Declined)
    assert reading.reason == "not_applicable"


def test_a_score_that_never_moves_declines(tmp_path: Path) -> None:
    source = "def grade(response, gold, length):\n    return 1.0\n"
    reading = sensitivity(planted(tmp_path, source, answered(GOLDS, length=[0.0, 1.0, 2.0, 3.0])))
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"


def test_an_answer_without_a_number_declines_and_counts_them(tmp_path: Path) -> None:
    source = "def grade(response, gold, length):\n    return None if length > 1.5 else length\n"
    reading = sensitivity(planted(tmp_path, source, answered(GOLDS, length=[0.0, 1.0, 2.0, 3.0])))
    assert isinstance(reading, Declined)
    assert reading.reason == "assumption_violated"
    assert "answers got no number" in reading.detail
