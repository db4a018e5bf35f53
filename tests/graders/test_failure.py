"""Failure semantics on graders that fail in one known way each."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import answered, fields, planted

from lens.graders.instruments.failure_semantics import REFERENCES, RESPONSES, failure_semantics
from lens.reading import Declined, Label, Quantity

PROBES = 3 * (len(RESPONSES) + len(REFERENCES))
GOLDS = [str(number) for number in range(3, 9)]


def counts(folder: Path, source: str) -> tuple[str, dict[str, float]]:
    found = fields(failure_semantics(planted(folder, source, answered(GOLDS))))
    mode = found.pop("mode")
    assert isinstance(mode, Label)
    return mode.value, {name: field.value for name, field in found.items() if isinstance(field, Quantity)}


def test_an_exception_that_comes_out_is_raised(tmp_path: Path) -> None:
    mode, found = counts(tmp_path, "def grade(response, gold):\n    raise KeyError('no')\n")
    assert mode == "raises KeyError"
    assert (found["raised"], found["zero"], found["swallowed"]) == (PROBES, 0, 0)


def test_an_exception_turned_into_nought_is_seen_inside(tmp_path: Path) -> None:
    source = """
        def grade(response, gold):
            try:
                return float(int(response) == int(gold))
            except Exception:
                return 0.0
    """
    mode, found = counts(tmp_path, source)
    assert "returns 0 on" in mode
    assert "ValueError" in mode
    assert found["raised"] == 0
    assert found["swallowed"] > PROBES / 2


def test_no_score_is_an_abstention_and_not_a_nought(tmp_path: Path) -> None:
    _, found = counts(tmp_path, "def grade(response, gold):\n    return None if response != gold else 1\n")
    assert found["abstained"] == PROBES
    assert found["zero"] == 0


def test_printing_and_paying_whatever_comes(tmp_path: Path) -> None:
    mode, found = counts(tmp_path, "def grade(response, gold):\n    print('paid')\n    return 1.0\n")
    assert mode == "no exception on any probe"
    assert (found["paid"], found["printed"]) == (PROBES, PROBES * len("paid\n"))


def test_a_grader_that_ends_its_process_is_counted_and_the_rest_is_asked(tmp_path: Path) -> None:
    source = """
        import os
        def grade(response, gold):
            if response == "":
                os._exit(3)
            return 0.0
    """
    _, found = counts(tmp_path, source)
    assert (found["ended"], found["zero"]) == (3, PROBES - 3)


def test_without_golds_there_is_nothing_to_probe(tmp_path: Path) -> None:
    reading = failure_semantics(planted(tmp_path, "def grade(response, gold):\n    return 1\n", [])).reading
    assert isinstance(reading, Declined)
    assert reading.reason == "corpus_inadequate"


@pytest.mark.parametrize("name", sorted(RESPONSES))
def test_probes_are_not_answers(name: str) -> None:
    assert RESPONSES[name] not in GOLDS
