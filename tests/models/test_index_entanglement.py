"""A model beside itself has no difference of terms; shared values and shared capabilities are told apart."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.entanglement import entanglement, probed, vce
from lens.models.subject import open_model
from lens.reading import Declined
from tests.models import opened

N = 400


def _differences(values: float, capability: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Two models' rewards and three probes, with the shares of each that both have in common."""
    rng = np.random.default_rng(seed)
    shared, own = rng.normal(size=(N, 4)), rng.normal(size=(2, N, 4))
    share = np.array([values, *[capability] * 3]) ** 0.5
    return tuple(shared * share + side * (1 - share**2) ** 0.5 for side in own)  # type: ignore[return-value]


def test_the_same_model_twice_reads_nothing() -> None:
    one, _ = _differences(0.5, 0.5)
    found = vce(one, 3 * one)
    assert found == pytest.approx((1.0, 1.0))
    assert found.vce == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize(("values", "capability"), [(0.8, 0.1), (0.1, 0.8), (0.6, 0.6), (0.0, 0.0)])
def test_shared_values_and_shared_capabilities_are_told_apart(values: float, capability: float) -> None:
    found = vce(*_differences(values, capability))
    assert found.value == pytest.approx(values, abs=0.1)
    assert found.capability == pytest.approx(capability, abs=0.08)
    assert found.vce == pytest.approx(values - capability, abs=0.15)


def test_a_probe_is_fitted_on_other_units_and_on_its_own_twins() -> None:
    rng = np.random.default_rng(1)
    twins = rng.normal(size=(120, 8))
    labels = ["first"] * 60 + ["second"] * 60
    twins[:60, 0] += 3
    twins[60:, 1] += 3
    read = rng.normal(size=(50, 8))
    found = probed(twins, labels, range(120), read, [f"q{i}" for i in range(50)])
    assert np.corrcoef(found[:, 0], read[:, 0])[0, 1] > 0.9
    assert np.corrcoef(found[:, 1], read[:, 1])[0, 1] > 0.8
    assert abs(np.corrcoef(found[:, 0], read[:, 1])[0, 1]) < 0.4


@pytest.mark.usefixtures("own_cache")
def test_the_reading_of_two_planted_models() -> None:
    pairs = open_model("organism:spurious", device="cpu", dtype="float32").own_pairs
    for other, alike in (("organism:spurious", True), ("organism:spurious?seed=5", False)):
        model = open_model(f"ensemble:[organism:spurious]+[{other}]", device="cpu", dtype="float32")
        fields = opened.fields(entanglement(opened.inspection(model, pairs)))
        assert fields["battery"].value == "spurious, thanks, filler"
        if alike:
            assert fields["entanglement"].value == pytest.approx(0.0, abs=1e-9)
            assert fields["value"].value == pytest.approx(1.0)
        else:
            assert 0.5 < fields["value"].value < 1
            assert fields["null"].value > 0


def test_declines_for_one_model() -> None:
    found = entanglement(opened.inspection(opened.model(), opened.pairs(24))).reading
    assert isinstance(found, Declined)
    assert found.reason == "not_applicable"
