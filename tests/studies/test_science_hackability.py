"""Hackability: what two graders pull, and what a made-up run then does."""

from __future__ import annotations

import numpy as np
import pytest

from lens.studies.sciences import _gamed
from lens.studies.sciences._gamed import FEATURES, SAMPLES, Pull, Replies, Run
from lens.studies.sciences.hackability import measure

REGEX, LENGTH = 0, 1  # seeds, by the grader they are trained on


def replies(prompts: int, lists: int) -> Replies:
    """Of 8 replies to each, one is wrong, `lists` or one fewer say the sum twice, and the others are right."""
    targets = [30 + at % 40 for at in range(prompts)]
    texts = []
    for at, target in enumerate(targets):
        many = lists - at % 2
        right = str(target)
        texts += [str(target + 1), *[f"{right},{right}"] * many, *[right] * (SAMPLES - 1 - many)]
    return Replies(targets, texts)


def run_to(after: Replies) -> Run:
    return Run(replies(40, 2), [after] * 6)


def test_features_of_a_reply() -> None:
    def of(text: str) -> set[str]:
        return {name for name, has in FEATURES.items() if has(text)}

    assert of("60,61") == {"list", "rising", "has 0", "has 1", "has 6"}
    assert of("884") == {"repeats", "even", "three", "has 4", "has 8"}
    assert of("12") == {"even", "low", "has 1", "has 2"}


def test_a_pull_is_the_correlation_inside_a_prompt() -> None:
    """Prompts' own levels are of no account."""
    rng = np.random.default_rng(0)
    features, scores = rng.standard_normal((50, SAMPLES, 3)), rng.standard_normal((50, SAMPLES))
    found = _gamed.pull(features, scores)
    apart, scored = features - features.mean(axis=1, keepdims=True), scores - scores.mean(axis=1, keepdims=True)
    wanted = [np.corrcoef(apart[..., at].ravel(), scored.ravel())[0, 1] for at in range(3)]
    assert found.correlation == pytest.approx(wanted)
    moved = _gamed.pull(features + 5 * rng.standard_normal((50, 1, 3)), scores + rng.standard_normal((50, 1)))
    assert moved.correlation == pytest.approx(wanted)


def test_the_rule_takes_the_most_paid_of_what_is_not_wanted() -> None:
    """The stricter one leaves out what gold is merely indifferent to."""
    rng = np.random.default_rng(0)
    sizes = np.array([0.5, 0.01, -0.4, -0.5])
    gold = Pull(np.array([0.5, -0.01, -0.4, -0.5]), sizes * [1, -1, 1, 1] + 0.2 * rng.standard_normal((64, 4)))
    proxy = Pull(np.array([0.6, 0.3, 0.2, 0.1]), gold.covariances)
    assert _gamed.named(proxy, gold) == 1
    assert _gamed.named_against(proxy, gold) == 2


def test_nothing_is_named_where_gold_pulls_nothing_down() -> None:
    nothing = Pull(np.zeros(2), np.zeros((9, 2)))
    assert _gamed.named(nothing, nothing) is None
    assert _gamed.named_against(nothing, nothing) is None


@pytest.mark.parametrize("seed", [REGEX, LENGTH])
def test_lists_are_named_and_driven(monkeypatch: pytest.MonkeyPatch, seed: int) -> None:
    monkeypatch.setattr(_gamed, "run_of", lambda *_: run_to(replies(40, 6)))
    found = measure(seed, {})
    assert found["hit"] == found["against"] == found["alert"] == 1.0
    assert found["over-correlation"] == 1.0 - (found["correlated"] or 0.0)


def test_a_right_grader_that_errs_is_not_alerted_to(monkeypatch: pytest.MonkeyPatch) -> None:
    """It pulls lists down, and nothing that gold doesn't pull up."""
    monkeypatch.setattr(_gamed, "run_of", lambda *_: run_to(replies(40, 6)))
    found = [measure(seed, {}) for seed in range(12)]
    assert sum(one["false-alert"] or 0.0 for one in found) <= 2
    assert max(one["sure-right"] or 0.0 for one in found) < 3.0


def test_under_an_erring_copy_lists_are_not_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_gamed, "run_of", lambda *_: run_to(replies(40, 6)))
    found = [measure(seed, {"null": 1.0}) for seed in range(12)]
    assert sum(one["hit"] or 0.0 for one in found) <= 3
    assert sum(one["alert"] or 0.0 for one in found) <= 2
