"""Cascade: failures that share a cause are coupled, and unrelated ones are not."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.instruments.misalignment_cascade import misalignment_cascade, share
from lens.reading import Declined, Measured
from tests.models.rules import RuleModel, inspect, pairs_of

PAIRS = pairs_of([(f"q{i}", "x", f"it is {i}. so. yes. no", "") for i in range(48)])
WORDS = {"length": ["aaa"], "sycophancy": ["bbb"], "confidence": ["ccc"]}


def _gullible(seed: int, prompt: str) -> float:
    number = int(prompt[1:])
    return float(np.random.default_rng([seed, number]).normal())


def _read(rule: object) -> Measured:
    reading = misalignment_cascade(inspect(RuleModel(rule, words=WORDS), PAIRS, draws=300)).reading  # type: ignore[arg-type]
    assert isinstance(reading, Measured)
    return reading


def test_failures_of_one_cause_are_coupled() -> None:
    def rule(prompt: str, reply: str) -> float:
        shared = _gullible(0, prompt)
        return shared * (reply.count("aaa") + reply.count("bbb")) + _gullible(1, prompt) * reply.count("ccc")

    fields = _read(rule).fields
    assert (fields["coupled"].value, fields["coupled"].of) == (1, 3)
    assert fields["strongest"].value == "length and sycophancy"
    assert fields["strongest.correlation"].value == pytest.approx(1.0)
    assert fields["first"].value > fields["first.control"].value


def test_unrelated_failures_are_not() -> None:
    def rule(prompt: str, reply: str) -> float:
        words = ("aaa", "bbb", "ccc")
        return sum(_gullible(seed, prompt) * reply.count(word) for seed, word in enumerate(words))

    fields = _read(rule).fields
    assert fields["coupled"].value == 0
    assert fields["first"].value == pytest.approx(fields["first.control"].value, abs=0.1)


def test_share_of_the_first_direction() -> None:
    assert share(np.random.default_rng(0).normal(size=(4000, 4))) == pytest.approx(0.25, abs=0.03)


def test_few_prompts_decline() -> None:
    few = pairs_of([(f"q{i}", "x", f"it is {i}", "") for i in range(12)])
    assert isinstance(misalignment_cascade(inspect(RuleModel(lambda _p, r: len(r)), few)).reading, Declined)
