"""What raters disagree about is decoded from both replies alike, and noise is not."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.disagreement import disagreement
from lens.models.indices.contestedness import _cast, contestedness, decoded, partial, symmetric
from lens.models.subject import open_model
from lens.reading import Declined
from lens.stats.correlation import pearson, spearman
from lens.stats.utility import utility
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
    assert fields["dealt.null"].value < 0.3
    assert fields["partial.null"].value > fields["partial.null-mean"].value > fields["dealt.null"].value


def _voted(camp: float, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """How 600 pairs stand apart [P, 8], and what 400 raters said: half of them like the first direction as much as the
    others dislike it, and all like the second alike."""
    rng = np.random.default_rng(seed)
    apart = rng.normal(size=(600, 8))
    likes, dislikes = (1 / (1 + np.exp(-2 * apart[:, 1] - sign * camp * apart[:, 0])) for sign in (1, -1))
    of = np.full(600, 400.0)
    return apart, rng.binomial(400, (likes + dislikes) / 2) / of, of


def test_one_utility_comes_back_from_its_votes_and_casts_alike() -> None:
    apart, shares, of = _voted(0.0, 3)
    assert utility(apart, shares, of) == pytest.approx(2 * apart[:, 1], abs=0.15)
    cast = _cast(apart, shares, of, seed=1)
    assert cast.shape == (200, 600)
    assert np.abs(cast.mean(axis=0) - disagreement(shares)).mean() < 0.05
    turned = np.where(np.arange(600) % 2, 1, -1)
    swapped = np.where(turned < 0, 1 - shares, shares)
    assert utility(turned[:, None] * apart, swapped, of) == pytest.approx(turned * utility(apart, shares, of))


def test_two_camps_disagree_where_one_utility_would_not() -> None:
    apart, shares, of = _voted(4.0, 3)
    contested = np.abs(apart[:, 0]) > 1.5
    apart_from_one = disagreement(shares) - _cast(apart, shares, of, seed=1).mean(axis=0)
    assert apart_from_one[contested].mean() > apart_from_one[~contested].mean() + 0.2


@pytest.mark.usefixtures("own_cache")
def test_raters_of_one_mind_are_not_taken_for_camps() -> None:
    """What a probe reads beyond the margin lies above chance, and one utility would make it of the same votes."""
    held = beyond = 0
    for seed in range(4):
        model = open_model(f"organism:annotators?dose=0.0&seed={seed}", device="cpu", dtype="float32")
        fields = opened.fields(contestedness(opened.inspection(model, model.own_pairs)))
        beyond += fields["partial"].value > fields["dealt.null"].value
        held += fields["verdict"].value == "held"
    assert (held, beyond) == (0, 3)


def test_declines_without_votes_and_without_a_trunk() -> None:
    found = contestedness(opened.inspection(opened.model(), opened.pairs())).reading
    assert isinstance(found, Declined)
    assert found.reason == "record_incomplete"
