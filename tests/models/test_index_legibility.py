"""A rubric of three predicates needs three, and what is tacit is what was planted."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.legibility import legibility, legibility_index
from lens.models.predicates import predicates
from lens.models.subject import open_model
from lens.reading import Declined, Measured
from lens.stats.drawn import centred
from lens.stats.stepwise import path
from tests.models import opened
from tests.models.rules import RuleModel, inspect, pairs_of

PROMPTS, K, LIBRARY = 300, 4, 20
NAMES = np.repeat(np.arange(PROMPTS), K).tolist()


def _draws(share: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    x = (rng.random((PROMPTS * K, LIBRARY)) < 0.5).astype(float)
    paid = x[:, [4, 9, 14]] @ [1.0, 0.8, 0.6]
    noise = rng.normal(size=len(x)) * paid.std() * (share / (1 - share)) ** 0.5
    return centred(x, NAMES), centred(paid + noise + rng.normal(0, 3, PROMPTS)[NAMES], NAMES)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5])
def test_three_predicates_and_the_planted_tacit_share(share: float) -> None:
    x, y = _draws(share)
    found = legibility(x, y, NAMES)
    assert found.needed == 3
    assert found.tacit(y) == pytest.approx(share, abs=0.05)
    assert found.curve[3] == pytest.approx((1 - share) ** 0.5, abs=0.05)
    assert (np.diff(found.curve[:4]) > 0).all()


def test_forty_noise_predicates_on_a_hundred_replies_are_not_legible() -> None:
    """Chosen and read on the same rows they would correlate .59."""
    values, tacit = [], []
    names = np.repeat(np.arange(25), 4).tolist()
    for seed in range(12):
        rng = np.random.default_rng(seed)
        x, y = centred(rng.choice([0.0, 1.0], (100, 40)), names), centred(rng.normal(size=100), names)
        found = legibility(x, y, names)
        values.append(found.curve[8])
        tacit.append(found.tacit(y))
    assert abs(np.mean(values)) < 0.12
    assert np.mean(tacit) > 0.95


def test_the_path_is_that_of_least_squares() -> None:
    rng = np.random.default_rng(4)
    x, new = rng.normal(size=(80, 5)), rng.normal(size=(3, 5))
    y = x @ [0, 3, 0, 2, 1] + 0.1 * rng.normal(size=80)
    weights, *_ = np.linalg.lstsq(x, y, rcond=None)
    assert path(x, y, new, 5)[5] == pytest.approx(new @ weights)
    assert path(x[:, [0, 0]], y, new[:, [0, 0]], 2)[2] == pytest.approx(path(x[:, [0]], y, new[:, [0]], 1)[1])


def test_units_change_nothing() -> None:
    x, y = _draws(0.2)
    one, other = legibility(x, y, NAMES), legibility(x, 9 * y, NAMES)
    assert other.needed == one.needed
    assert other.curve == pytest.approx(one.curve)
    assert other.tacit(9 * y) == pytest.approx(one.tacit(y))


def test_predicates_are_yes_or_no() -> None:
    found = predicates(["a b c d", "a", "b?", "c d? ?"], ["p", "p", "q", "q"])
    assert set(np.unique(found.values)) <= {0.0, 1.0}
    assert "many-characters" in found.names


@pytest.mark.usefixtures("own_cache")
def test_the_reading_of_a_rubric() -> None:
    model = open_model("organism:rubric?dose=0", device="cpu", dtype="float32")
    result = legibility_index(opened.inspection(model, model.own_pairs))
    fields = opened.fields(result)
    assert fields["needed"].value == 3
    assert fields["tacit"].interval.high < 0.2
    assert fields["fidelity"].interval.low > fields["null"].value
    assert len(result.tables["curve"]["fidelity"]) == 9


def test_the_reading_of_noise_and_of_a_constant() -> None:
    pairs = pairs_of([(f"q{i}", f"one {'two ' * (i % 3)}three", f"{'so ' * (i % 4)}so!", "") for i in range(40)])

    def noise(prompt: str, reply: str) -> float:
        return float(np.random.default_rng(list(map(ord, prompt + reply))).normal())

    reading = legibility_index(inspect(RuleModel(noise), pairs, draws=300)).reading
    assert isinstance(reading, Measured)
    fidelity = reading.fields["fidelity"]
    assert isinstance(fidelity, Declined) or fidelity.interval.low <= reading.fields["null"].value
    assert isinstance(legibility_index(inspect(RuleModel(lambda *_: 2.0), pairs)).reading, Declined)
