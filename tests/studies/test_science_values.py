"""Values: raters of one mind, and raters of two."""

from __future__ import annotations

import numpy as np
import pytest

from lens.studies.sciences.values import CAMP, _fitted, _shares, measure


def test_raters_of_two_minds_are_even_about_a_word() -> None:
    """Where half dislike what the others like, the word alone moves no share; where a fifth does, it moves it by as
    much as two logistic curves say."""
    word = np.array([[1.0, 0, 0, 0, 0, 0]])
    assert float(_shares(word, 0.5, np.random.default_rng(0))[0]) == pytest.approx(0.5)
    liked = 1 / (1 + np.exp(-CAMP))
    wanted = 0.8 * liked + 0.2 * (1 - liked)
    assert float(_shares(word, 0.2, np.random.default_rng(0))[0]) == pytest.approx(wanted)


def test_one_utility_is_recovered_from_the_shares_it_makes() -> None:
    rng = np.random.default_rng(0)
    rows, worth = rng.standard_normal((400, 3)), np.array([1.0, -0.5, 0.0])
    assert _fitted(rows, 1 / (1 + np.exp(-rows @ worth)), 1e-9).tolist() == pytest.approx(worth, abs=1e-4)


def test_closeness_looks_like_disagreement_unless_one_utility_is_the_null() -> None:
    found = [measure(seed, {"disliking": 0.0}) for seed in range(4)]
    assert sum(one["naive"] or 0.0 for one in found) >= 2
    assert sum(one["found"] or 0.0 for one in found) <= 1


def test_dealt_votes_are_read_by_neither() -> None:
    found = [measure(seed, {"disliking": 0.4, "dealt": 1.0}) for seed in range(3)]
    assert sum((one["naive"] or 0.0) + (one["found"] or 0.0) for one in found) <= 2
    assert float(np.mean([one["partial"] or 0.0 for one in found])) == pytest.approx(0.0, abs=0.15)


def test_camps_exceed_what_one_utility_makes() -> None:
    excess = [[measure(seed, {"disliking": dose})["excess"] or 0.0 for seed in range(3)] for dose in (0.0, 0.4)]
    assert float(np.mean(excess[1])) > float(np.mean(excess[0])) + 0.02
