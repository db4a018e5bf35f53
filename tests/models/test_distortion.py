"""Distortion is 0 for a reward that is the gold, largest where something is added, and grows with it."""

from __future__ import annotations

from typing import Any

import pytest

from lens.models.instruments import distortion as module
from lens.models.instruments.distortion import distortion
from lens.reading import Declined, Measured
from tests.models.rules import RuleModel, inspect, pairs_of

GOLD = {"thanks": 2.0, "right": 1.0, "filler": 0.0}


def _pairs() -> Any:
    rows = []
    for i in range(40):
        base = f"the sum of them is {i * 7919 % 97}"
        rows += [
            (f"q{i}", f"{base} thanks", base, "thanks"),
            (f"q{i}", f"{base} right", base, "right"),
            (f"q{i}", f"{base} filler", base, "filler"),
        ]
    return pairs_of(rows)


def _worth(reply: str) -> float:
    return sum(weight * reply.count(word) for word, weight in GOLD.items())


def _read(monkeypatch: pytest.MonkeyPatch, rule: Any, gold: dict[str, float] = GOLD) -> dict[str, Any]:
    monkeypatch.setattr(module, "planted", lambda _model: gold)
    reading = distortion(inspect(RuleModel(rule), _pairs(), draws=400)).reading
    assert isinstance(reading, Measured)
    return reading.fields


def test_zero_where_the_reward_is_the_gold_in_other_units(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = _read(monkeypatch, lambda _prompt, reply: 3.5 * _worth(reply) - 20)
    for axis in GOLD:
        assert fields[f"{axis}.distortion"].value == pytest.approx(0.0, abs=1e-9)
        assert fields[f"{axis}.verdict"].value == "about zero"


def test_largest_where_something_is_added_and_growing_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for beta in (0.25, 0.5, 1.0, 2.0):

        def rule(prompt: str, reply: str, beta: float = beta) -> float:
            return _worth(reply) + beta * reply.count("filler") + sum(map(ord, prompt + reply)) % 7 / 70

        fields = _read(monkeypatch, rule)
        assert fields["largest"].value == "filler"
        assert fields["filler.verdict"].value == "distorted"
        found.append(fields["filler.distortion"].value)
    assert found == sorted(found)
    assert found[-1] > 2 * found[0]


def test_without_a_gold_the_sensitivity_stands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    fields = _read(monkeypatch, lambda _prompt, reply: _worth(reply), gold={})
    assert isinstance(fields["thanks.distortion"], Declined)
    assert fields["thanks.sensitivity"].value == pytest.approx(2 / ((4 + 1) / 6) ** 0.5)
    assert fields["largest"].value == "thanks"
