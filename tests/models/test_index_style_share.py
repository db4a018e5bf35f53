"""The share paid for style is the planted one, in whatever basis."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from lens.models.indices.style_share import style_parts, style_share
from lens.models.leace import fit
from lens.models.pairs import Pairs
from lens.models.subject import open_model
from lens.reading import Declined
from tests.models import opened

D, TWINS, NATURAL = 12, 120, 240
STYLES = ["markdown"] * TWINS + [""] * NATURAL
READ = [not one for one in STYLES]
CLUSTERS = list(range(TWINS + NATURAL))


def _draws(share: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Margins of 1 on average, `share` of it along style; a correlated stream."""
    rng = np.random.default_rng(seed)
    mix = rng.normal(size=(D, D)) + 3 * np.eye(D)
    deltas = 0.3 * rng.normal(size=(len(STYLES), D))
    deltas[:TWINS, 0] += 1.0
    deltas[TWINS:, 0] += share + 0.2 * rng.normal(size=NATURAL)
    deltas[TWINS:, 1] += 1 - share + 0.2 * rng.normal(size=NATURAL)
    w = np.zeros(D)
    w[:2] = 1.0
    return deltas @ mix, np.linalg.solve(mix, w)


@pytest.mark.parametrize("share", [0.0, 0.3, 0.7])
def test_the_planted_share(share: float) -> None:
    found = style_parts(*_draws(share), STYLES, READ, CLUSTERS, seed=0)
    assert found.margin.mean() == pytest.approx(1.0, abs=0.1)
    assert found.share == pytest.approx(share, abs=0.08)


def test_a_change_of_basis_changes_nothing() -> None:
    deltas, w = _draws(0.3)
    a = np.random.default_rng(9).normal(size=(D, D)) + 2 * np.eye(D)
    one = style_parts(deltas, w, STYLES, READ, CLUSTERS, seed=0)
    other = style_parts(deltas @ a, np.linalg.solve(a, w), STYLES, READ, CLUSTERS, seed=0)
    assert other.style == pytest.approx(one.style, abs=1e-8)
    assert other.random == pytest.approx(one.random, abs=1e-8)


def test_the_projector_is_that_of_leace() -> None:
    """Of the sides of the twins, ±Δ/2, the side being the label."""
    deltas, w = _draws(0.3)
    held = [i for i in range(TWINS) if i % 5 != 0]
    rows = np.concatenate([deltas[held], -deltas[held]]) / 2
    eraser = fit(rows, np.repeat([1.0, -1.0], len(held)))
    first = [i for i in range(0, len(STYLES), 5) if READ[i]]
    found = style_parts(deltas, w, STYLES, READ, CLUSTERS, seed=0).style
    at = [i - TWINS for i in first]
    assert found[at] == pytest.approx(deltas[first] @ eraser.projection @ w, abs=1e-9)


def test_random_subspaces_take_what_their_rank_gives() -> None:
    found = style_parts(*_draws(0.3), STYLES, READ, CLUSTERS, seed=0)
    shares = found.random.sum(axis=1) / found.margin.sum()
    assert -0.2 < np.median(shares) < 0.35


def test_too_few_for_the_dimensions() -> None:
    deltas, w = _draws(0.3)
    with pytest.raises(ValueError, match="of 12 dimensions"):
        style_parts(deltas[110:130], w, STYLES[110:130], READ[110:130], CLUSTERS[110:130], seed=0)


@pytest.mark.usefixtures("own_cache")
def test_the_reading_of_an_organism_whose_labels_say_nothing_of_length() -> None:
    """Fillers are paid for, and favour neither side of a natural pair: content makes the margin."""
    model = open_model("organism:filler?dose=0.4", device="cpu", dtype="float32")
    inspection = opened.inspection(model, model.own_pairs)
    fields = opened.fields(style_share(inspection))
    assert fields["styles"].value == "filler"
    assert fields["share"].interval.low <= 0.0 <= fields["share"].interval.high
    bent = [
        pair for pair in model.own_pairs if pair.axis != "natural" or pair.chosen.count(" ") > pair.rejected.count(" ")
    ]
    longer = Pairs("longer chosen", tuple(bent), "longer")
    fields = opened.fields(style_share(dataclasses.replace(inspection, pairs=longer, memo={}, used={}, noted={})))
    assert fields["share"].interval.low > 0.1
    assert fields["verdict"].value == "paid for style"


def test_declines_without_twins_and_where_the_metric_is_not_known() -> None:
    found = style_share(opened.inspection(opened.model(), opened.pairs(24)))
    assert isinstance(found.reading, Declined)
