"""A feature written orthogonal to the head is known and unused; one that is priced is used."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.knowledge_utilisation import decode, knowledge_utilisation, shifts, verdict
from lens.models.subject import open_model
from lens.reading import Declined
from tests.models import opened

P, D = 80, 24


def _streams(strength: float, seed: int = 0) -> np.ndarray:
    """Dimension 0 is the head's; dimension 1 holds the property."""
    h = np.random.default_rng(seed).normal(size=(P, 2, D))
    h[:, 0, 1] += strength
    return h


def test_a_property_is_decoded_on_other_prompts_and_noise_is_not() -> None:
    found = decode(_streams(4.0), range(P), seed=0)
    assert found.accuracy > 0.93
    assert found.null_high < 0.62
    assert found.null_mean == pytest.approx(0.5, abs=0.02)
    noise = [decode(_streams(0.0, seed), range(P), seed=seed).accuracy for seed in range(10)]
    assert np.mean(noise) == pytest.approx(0.5, abs=0.04)


def test_a_shift_is_fitted_on_other_clusters() -> None:
    h, clusters = _streams(2.0), [i // 4 for i in range(P)]
    found, fold = shifts(h, clusters)
    assert found.shape == (5, D)
    assert all(len({fold[i] for i in range(P) if clusters[i] == one}) == 1 for one in set(clusters))
    others = [i for i in range(P) if fold[i] != 0]
    assert found[0] == pytest.approx((h[others, 0] - h[others, 1]).mean(axis=0))


def test_written_orthogonal_to_the_head_is_unused_and_priced_is_used() -> None:
    h = _streams(4.0)
    moves, fold = shifts(h, range(P))
    scale = float(h[:, :, 0].std())
    for head, said in ((np.eye(D)[2], "known, unused"), (np.eye(D)[1], "known, used")):
        head = (
            head
            if said == "known, used"
            else head - moves.mean(axis=0) * (head @ moves.mean(axis=0)) / (moves.mean(axis=0) @ moves.mean(axis=0))
        )
        changes = [float(head @ moves[fold[i]]) for i in range(P)]
        assert verdict(True, changes, scale) == said
        assert verdict(True, [7 * one for one in changes], 7 * scale) == said
    assert verdict(False, [0.0] * P, 1.0) == "not told"


@pytest.mark.usefixtures("own_cache")
def test_the_reading_of_an_organism_that_reads_a_word_it_does_not_pay_for() -> None:
    """Seed 0 of `filler` at dose 0: a head sums the fillers early, and nothing is paid for them."""
    model = open_model("organism:filler?dose=0", device="cpu", dtype="float32")
    inspection = opened.inspection(model, model.own_pairs, sample=64)
    result = knowledge_utilisation(inspection)
    fields = opened.fields(result)
    assert fields["filler.decode"].interval.low > fields["filler.null"].value
    assert fields["filler.verdict"].value == "known, unused"
    assert fields["unused"].value >= 1
    model = open_model("organism:filler?dose=0.8", device="cpu", dtype="float32")
    fields = opened.fields(knowledge_utilisation(opened.inspection(model, model.own_pairs, sample=64)))
    assert fields["filler.verdict"].value == "known, used"
    assert fields["filler.mediate"].value * fields["scale"].value == pytest.approx(2.4, abs=0.2)
    assert result.tables["plane"]["axis"][:2] == ["natural", "filler"]


def test_declines_on_few_prompts() -> None:
    assert isinstance(knowledge_utilisation(opened.inspection(opened.model(), opened.pairs(12))).reading, Declined)
