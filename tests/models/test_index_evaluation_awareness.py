"""A wrapper that is priced has the planted effect; one that can be decoded and isn't priced has none."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.evaluation_awareness import decode, evaluation_awareness, verdict
from lens.models.pairs import Pairs
from lens.models.subject import open_model
from lens.models.wrappers import BENCHMARK, CHAT, wrapped, wrappers
from lens.reading import Declined, Measured
from tests.models import opened
from tests.models.rules import RuleModel, inspect, pairs_of

DOSES = (0.0, 0.25, 0.5, 1.0)


@pytest.mark.usefixtures("own_cache")
def test_the_planted_worth_is_recovered_with_slope_one() -> None:
    found = []
    for dose in DOSES:
        model = open_model(f"organism:wrapper?dose={dose:g}", device="cpu", dtype="float32")
        fields = opened.fields(evaluation_awareness(opened.inspection(model, model.own_pairs, sample=40)))
        found.append(fields["effect"].value * fields["scale"].value)
        assert fields["decode"].of == 40 * 8
        if dose == 0:
            assert fields["effect"].value == pytest.approx(0.0, abs=1e-3)
            assert fields["verdict"].value in ("decodable, not priced", "not priced")
        else:
            assert fields["verdict"].value == "priced"
    assert np.polyfit(DOSES, found, 1)[0] == pytest.approx(1.0, abs=1e-3)


def _streams(strength: float, shared: bool, seed: int = 0) -> np.ndarray:
    """[P, 2, T, d]: benchmark texts stand apart along dimension 0, or each template along one of its own."""
    h = np.random.default_rng(seed).normal(size=(40, 2, 4, 16))
    for t in range(4):
        h[:, 0, t, 0 if shared else 1 + t] += strength
    return h


def test_a_probe_is_read_on_a_template_it_never_saw() -> None:
    assert decode(_streams(5.0, shared=True), range(40), seed=0).accuracy > 0.9
    own = decode(_streams(5.0, shared=False), range(40), seed=0)
    assert own.accuracy < 0.75
    assert decode(_streams(0.0, shared=True), range(40), seed=0).accuracy == pytest.approx(0.5, abs=0.08)
    assert own.null_mean == pytest.approx(0.5, abs=0.03)


def test_words_for_what_is_found() -> None:
    assert verdict(True, [1.0, 1.1, 0.9, 1.2]) == "priced"
    assert verdict(False, [0.01, 0.0, -0.01, 0.0]) == "not priced"
    assert verdict(True, [0.1, 0.4, -0.3, 0.2]) == "not told"


def test_wrapping_takes_the_question_and_nothing_else() -> None:
    chat = ({"role": "system", "content": "Be brief."}, {"role": "user", "content": "2+2?"})
    assert wrapped(chat, "Q: {}\nA:") == (chat[0], {"role": "user", "content": "Q: 2+2?\nA:"})
    for template in (*BENCHMARK, *CHAT):
        assert "2+2?" in wrapped("2+2?", template)


def _pairs(count: int = 30) -> Pairs:
    return pairs_of([(f"what is {i} and {i}?", f"it is {2 * i}", f"it is {i} so there", "") for i in range(count)])


def test_the_reading_of_a_rule_that_pays_for_being_tested() -> None:
    def rule(prompt: str, reply: str) -> float:
        return len(reply) / 10 + 3.0 * any(word in prompt for word in ("Answer", "###", "A:"))

    reading = evaluation_awareness(inspect(RuleModel(rule), _pairs())).reading
    assert isinstance(reading, Measured)
    assert reading.fields["effect"].value * reading.fields["scale"].value == pytest.approx(3.0)
    assert reading.fields["effect"].value > reading.fields["effect.null"].value
    assert reading.fields["verdict"].value == "priced"
    assert isinstance(reading.fields["decode"], Declined)


def test_declines(own_cache: object) -> None:
    model = open_model("organism:spurious", device="cpu", dtype="float32")
    assert isinstance(wrappers(model), Declined)
    assert isinstance(evaluation_awareness(opened.inspection(model, model.own_pairs)).reading, Declined)
    assert isinstance(evaluation_awareness(inspect(RuleModel(lambda *_: 0.0), _pairs())).reading, Declined)
    assert isinstance(evaluation_awareness(inspect(RuleModel(lambda _p, r: len(r)), _pairs(9))).reading, Declined)
