"""What raters disagree about is decoded from both replies alike, and noise is not."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.indices.contestedness import contestedness, decoded, partial, symmetric
from lens.models.subject import open_model
from lens.reading import Declined
from lens.stats.correlation import pearson, spearman
from tests.models import opened

P, D = 100, 128


def _streams(seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(P, 2, D))


def test_swapping_any_pair_changes_nothing() -> None:
    h, target = _streams(), np.random.default_rng(1).random((P, 1))
    swapped = h.copy()
    swapped[::3] = swapped[::3, ::-1]
    assert decoded(symmetric(swapped), target, range(P)) == pytest.approx(decoded(symmetric(h), target, range(P)))


def test_noise_is_not_decoded_where_an_in_sample_direction_always_is() -> None:
    found = []
    for seed in range(20):
        h, target = _streams(seed), np.random.default_rng(100 + seed).random((P, 1))
        said = decoded(symmetric(h), target, range(P))
        found.append(spearman(said[:, 0].tolist(), target[:, 0].tolist()) if np.ptp(said) else 0.0)
    assert abs(np.mean(found)) < 0.1
    x = np.column_stack([_streams()[:, 0], np.ones(P)])
    fitted = x @ np.linalg.lstsq(x, target, rcond=None)[0]
    assert pearson(fitted[:, 0].tolist(), target[:, 0].tolist()) > 0.99


def test_what_both_replies_hold_is_decoded() -> None:
    rng = np.random.default_rng(2)
    contested = rng.random(400)
    h = rng.normal(size=(400, 2, 16))
    h[:, :, 0] += 3 * contested[:, None]
    said = decoded(symmetric(h), contested[:, None], range(400))
    assert spearman(said[:, 0].tolist(), contested.tolist()) > 0.6


def test_partial_takes_out_what_a_third_says() -> None:
    rng = np.random.default_rng(3)
    margin = rng.normal(size=4000)
    one, other = margin + rng.normal(size=4000), margin + rng.normal(size=4000)
    assert abs(partial(one, other, margin)) < 0.06
    assert spearman(one.tolist(), other.tolist()) > 0.4
    assert partial(one, one + 0.1 * rng.normal(size=4000), margin) > 0.9
    assert np.isnan(partial(margin, other, margin))


@pytest.mark.usefixtures("own_cache")
def test_the_reading_of_a_mixture_of_raters() -> None:
    model = open_model("organism:annotators?dose=0.4", device="cpu", dtype="float32")
    fields = opened.fields(contestedness(opened.inspection(model, model.own_pairs)))
    assert fields["correlation"].interval.low > fields["correlation.null"].value
    assert fields["partial"].value <= 1
    assert fields["partial.null"].value < 0.3


def test_declines_without_votes_and_without_a_trunk() -> None:
    found = contestedness(opened.inspection(opened.model(), opened.pairs())).reading
    assert isinstance(found, Declined)
    assert found.reason == "record_incomplete"
