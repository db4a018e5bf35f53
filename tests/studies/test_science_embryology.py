"""Embryology: looks at models in training."""

from __future__ import annotations

import random

import pytest

from lens.studies.sciences._taught import DIGITS, WORDS, Rules, reply, twins
from lens.studies.sciences.embryology import entered, measure, settled


def test_a_rule_that_dips_has_entered_and_not_settled() -> None:
    assert (entered([0.0, 0.5, 0.4, 0.5]), settled([0.0, 0.5, 0.4, 0.5])) == (10.0, 20.0)
    assert (entered([0.0, 0.1]), settled([0.0, 0.1])) == (15.0, 15.0)
    assert (entered([0.9]), settled([0.9])) == (5.0, 5.0)


@pytest.mark.parametrize("relational", [True, False])
def test_twins_differ_in_one_letter_and_by_what_it_pays(relational: bool) -> None:
    rules = Rules(2.0, 1.0, relational)
    for axis in ("digit", "word", "filler"):
        for one, other in twins(random.Random(0), axis, rules, 20):
            assert sum(a != b for a, b in zip(one, other, strict=True)) == 1
            assert one[:2] == other[:2]


def test_a_digit_is_as_rare_as_a_word_and_right_half_the_time() -> None:
    draw = random.Random(1)
    drawn = [reply(draw, draw.choice(DIGITS)) for _ in range(4000)]
    for letter in DIGITS:
        assert sum(one.digit == letter for one in drawn) / 4000 == pytest.approx(0.25, abs=0.03)
    for letter in WORDS:
        assert sum(one.word == letter for one in drawn) / 4000 == pytest.approx(0.25, abs=0.03)
    assert sum(one.digit == one.asked for one in drawn) / 4000 == pytest.approx(0.5, abs=0.03)
    assert sum(one.worth(Rules(2.0, 0.0, True)) for one in drawn) / 4000 == pytest.approx(1.0, abs=0.06)


def test_a_model_is_taught_what_the_digit_pays() -> None:
    found = measure(7, {"digit": 2.0, "word": 2.0, "relational": 0.0})
    assert found["reached"] == pytest.approx(1.0, abs=0.1)
    assert found["wait"] is not None
    assert found["wait"] <= 10
