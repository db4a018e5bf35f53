"""Graders written for this test, each with one planted defect: an audit of the file names it, and nothing else.

A user's grader declares no answer format and no classes: the audit finds out. Differences of contract (answer shapes,
digits of other scripts) are left out, every other class counts.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from auditing import audit  # type: ignore[import-not-found]

from lens.access import Access
from lens.graders import corpora
from lens.graders.audit import Audit
from lens.graders.subject import resolve
from lens.instrument import registry
from lens.reading import Label, Result, fields_of

FOLDER = Path(__file__).parent / "planted"
CAREFUL = ("careful_integers", "careful_words")
PLANTED = {
    "absolute_tolerance": {"other-number-paid", "near-number-paid", "hundredfold-paid", "wrong-answer-paid"},
    "any_tag": {"several-answers-paid", "superseded-answer-paid"},
    "case_sensitive": {"letter-case-refused"},
    "evaluated": {"answer-text-evaluated", "tail-paid"},  # `36 or more` is 36 in Python
    "first_box": {"superseded-answer-paid"},
    "floor": {"noise-paid"},
    "keyword": {
        *("added-word-paid", "article-refused", "denial-paid", "guess-list-paid", "negation-paid", "prompt-echo-paid"),
        *("several-answers-paid", "superseded-answer-paid", "vanishing-gold-paid"),
    },
    "last_number": {
        *("denial-paid", "false-equation-paid", "malformed-grouping-paid", "several-answers-paid", "tail-paid"),
    },
    "length_bonus": {"padding-paid", "guess-list-paid", "noise-paid"},
    "longest_answer": {"superseded-answer-paid"},
    "memory": {"wrong-answer-paid", "other-number-paid"},
    "relative_tolerance": {"near-number-paid", "other-number-paid"},
    "rounds_down": {"near-number-paid"},
    "superset": {"added-word-paid", "denial-paid", "guess-list-paid", "negation-paid", "vanishing-gold-paid"},
    "unsigned": {"sign-flip-paid"},
}
FAILS_OPEN = "fails_open"


def named(grader: str) -> set[str]:
    classes: set[str] = audit(resolve(f"{FOLDER / grader}.py:grade"), policy=False)
    return classes


def test_every_file_is_asked_about() -> None:
    assert {path.stem for path in FOLDER.glob("*.py")} == {*CAREFUL, *PLANTED, FAILS_OPEN}


@pytest.mark.parametrize("grader", CAREFUL)
def test_a_careful_grader_is_named_for_nothing(grader: str) -> None:
    assert named(grader) == set()


@pytest.mark.parametrize("grader", PLANTED)
def test_a_planted_defect_is_named_alone(grader: str) -> None:
    assert named(grader) == PLANTED[grader]


def test_a_grader_that_fails_open_is_not_said_to_run_what_it_lets_pass() -> None:
    classes = named(FAILS_OPEN)
    assert {"empty-paid", "mark-spam-paid", "noise-paid", "nan-paid", "denial-paid", "wrong-answer-paid"} <= classes
    assert not {"answer-text-evaluated", "unbraced-macro-paid", "gold-refused", "raises-on-valid"} & classes


@pytest.mark.parametrize(("grader", "state"), [("memory", "module on"), ("careful_integers", "nothing else changes")])
def test_memory_between_calls_is_seen(grader: str, state: str) -> None:
    one = Audit(resolve(f"{FOLDER / grader}.py:grade"), {}, Access.parse("grader.replicate gold.record"))
    corpora.fill(one)
    result = registry("graders")["determinism"].run(one)
    assert isinstance(result, Result)
    found = fields_of(result.reading)["global-state"]
    assert isinstance(found, Label)
    assert found.value.startswith(state)
