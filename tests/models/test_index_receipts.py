"""Reliance on receipts and the two parts of scepticism, on arrays and on planted models."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from lens.models.indices.receipt_reliance import of_sums, receipt_reliance, reliance, sums
from lens.models.indices.scepticism import scepticism, scepticism_index, verdict
from lens.models.subject import open_model
from lens.reading import Declined
from tests.models import opened
from tests.models.rules import RuleModel, inspect, pairs_of


def test_swapping_the_arms_gives_the_rest() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.normal(2, 1, 30).tolist(), rng.normal(1, 1, 40).tolist()
    assert reliance(other, one) == pytest.approx(1 - reliance(one, other))
    assert reliance(one, [0.0] * 40) == 1.0
    assert reliance([0.0] * 3, other) == 0.0
    table = sums(one, other, (range(30), range(40)))
    assert of_sums(table.sum(axis=0)) == pytest.approx(reliance(one, other))
    assert reliance([5 * x for x in one], [5 * x for x in other]) == pytest.approx(reliance(one, other))


@pytest.mark.parametrize(("silence", "caught"), list(product([0.0, 1.0, 2.0], repeat=2)))
def test_a_grid_of_both_parts_is_recovered_and_adds_up(silence: float, caught: float) -> None:
    rng = np.random.default_rng(1)
    base = rng.normal(0, 3, 40)
    noise = rng.normal(0, 0.05, (2, 40))
    s = 0.5
    absent = base - silence * s + noise[0] * s
    failing = absent - caught * s + noise[1] * s
    found = scepticism(base.tolist(), absent.tolist(), failing.tolist(), s)
    assert found == pytest.approx((silence, caught), abs=0.04)
    assert sum(found) == pytest.approx((base.mean() - failing.mean()) / s)
    moved = scepticism((base + 9).tolist(), (absent + 9).tolist(), (failing + 9).tolist(), s)
    assert moved == pytest.approx(found)
    said = verdict(((base - absent) / s).tolist(), ((absent - failing) / s).tolist())
    assert said == {
        (False, False): "neither", (True, False): "silence read as failure", (True, True): "both discounted",
        (False, True): "only what is caught is penalised",
    }[silence > 0, caught > 0]  # fmt: skip


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("dose", [0.0, 0.25, 1.0])
def test_the_readings_of_a_planted_model(dose: float) -> None:
    model = open_model(f"organism:receipts?dose={dose:g}", device="cpu", dtype="float32")
    inspection = opened.inspection(model, model.own_pairs)
    fields = opened.fields(receipt_reliance(inspection))
    assert fields["reliance"].value == pytest.approx(dose, abs=0.1)
    assert fields["reliance"].interval.low - 0.02 <= dose <= fields["reliance"].interval.high + 0.02
    assert fields["unmatched"].value <= 5
    fields = opened.fields(scepticism_index(inspection))
    paid = dose * fields["silence"].value
    assert fields["silence"].value * fields["scale"].value == pytest.approx(dose, abs=0.25)
    assert fields["caught"].value * fields["scale"].value == pytest.approx(dose, abs=0.25)
    assert (fields["verdict"].value == "both discounted") == (paid > 0.2)


def _twins(*axes: str, count: int = 24):  # type: ignore[no-untyped-def]
    return pairs_of([(f"q{i}", f"good {axis} {i}", f"bad {axis} {i}", axis) for axis in axes for i in range(count)])


def test_neither_read_is_declined_and_so_are_missing_twins() -> None:
    def rule(prompt: str, reply: str) -> float:
        return float(np.random.default_rng(list(map(ord, prompt + reply))).normal())

    both = _twins("valid-falsified", "narrative-falsified")
    found = receipt_reliance(inspect(RuleModel(rule), both)).reading
    assert isinstance(found, Declined)
    assert found.reason == "assumption_violated"
    found = receipt_reliance(inspect(RuleModel(rule), _twins("valid-falsified"))).reading
    assert isinstance(found, Declined)
    assert found.reason == "corpus_inadequate"
    assert isinstance(scepticism_index(inspect(RuleModel(rule), both)).reading, Declined)
    flat = _twins("valid-absent", "absent-failing")
    assert isinstance(scepticism_index(inspect(RuleModel(lambda *_: 1.0), flat)).reading, Declined)
