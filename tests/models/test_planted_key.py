"""The answer key of an organism as evidence, and nothing for any other model."""

from __future__ import annotations

import opened
import pytest

from lens.models.instruments.planted import planted
from lens.models.subject import open_model


def _read(spec: str) -> object:
    model = open_model(spec, device="cpu", dtype="float32")
    assert model.own_pairs is not None
    return planted(opened.inspection(model, model.own_pairs))


def test_a_hand_set_organism_tells_its_rules_and_where_they_sit() -> None:
    result = _read("organism:gate?dose=0.5&seed=2")
    found = opened.fields(result)
    assert found["rules"].value == 3
    assert found["rule.2"].value == "+0.5 for `amber` where `north` stands too"
    worth = {name: found[f"{name}.planted"].value for name in ("gated", "thanks", "shut")}
    assert worth == pytest.approx({"gated": 0.5, "thanks": 1.0, "shut": 0.0})
    assert found["tolerance"].value == pytest.approx(3e-4)
    assert "held-out" not in found
    assert "multiplies amber and north" in result.tables["sites"]["does"]


def test_a_dose_of_nothing_plants_nothing() -> None:
    assert opened.fields(_read("organism:gate?dose=0"))["gated.planted"].value == 0


def test_any_other_model_has_no_answer_key() -> None:
    reading = planted(opened.inspection(opened.model(), opened.pairs())).reading
    assert reading.reason == "not_applicable"
