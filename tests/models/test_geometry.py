"""Geometry: a whitened cosine is a correlation of rewards, whatever the basis; between models there is none."""

from __future__ import annotations

import numpy as np
import pytest

from lens.models.concept import Concept, cosine
from lens.models.geometry import TooFewRows, covariance, epic, frame, inside
from lens.models.instruments.geometry import _readout, geometry
from lens.models.pairs import Pair
from lens.models.streams import Streams
from tests.models import opened, planted, subjects


def _rows(n: int = 400, d: int = 20) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    draw = np.random.default_rng(0)
    x = draw.normal(size=(n, d)) @ draw.normal(size=(d, d))
    return x - x.mean(axis=0), *draw.normal(size=(2, d))


def test_whitened_cosine_is_the_correlation_of_rewards() -> None:
    x, w, u = _rows()
    told = np.corrcoef(x @ w, x @ u)[0, 1]
    assert cosine(w, u, covariance(x, len(x) - 1)) == pytest.approx(told, abs=1e-12)
    assert abs(cosine(w, u) - told) > 0.05


def test_what_differs_between_prompts_is_no_part_of_it() -> None:
    x, w, u = _rows()
    prompts = [i // 8 for i in range(len(x))]
    shifted = x + np.random.default_rng(3).normal(size=(50, 20))[prompts] * 100
    plain, other = (covariance(*inside(rows, prompts)) for rows in (x, shifted))
    assert cosine(w, u, other) == pytest.approx(cosine(w, u, plain), abs=1e-9)


def test_no_basis_is_in_it() -> None:
    x, w, u = _rows()
    basis = np.random.default_rng(1).normal(size=(20, 20))
    inverse = np.linalg.inv(basis).T
    moved = cosine(inverse @ w, inverse @ u, covariance(x @ basis.T, len(x) - 1))
    assert moved == pytest.approx(cosine(w, u, covariance(x, len(x) - 1)), abs=1e-10)
    assert abs(cosine(inverse @ w, inverse @ u) - cosine(w, u)) > 0.05


def test_a_rotated_copy_is_the_same_through_shared_items_and_not_raw() -> None:
    x, w, _ = _rows()
    rotation, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(20, 20)))
    other, turned = x @ rotation, w @ rotation
    assert epic(float(np.corrcoef(x @ w, other @ turned)[0, 1])) == pytest.approx(0.0, abs=1e-7)
    assert cosine(w @ frame(x, other), turned) == pytest.approx(1.0, abs=1e-12)
    assert cosine(w, turned) < 0.9


def test_fewer_texts_than_dimensions_are_refused() -> None:
    with pytest.raises(TooFewRows):
        covariance(np.zeros((21, 20)), 20)
    reading = geometry(opened.inspection(opened.model(), opened.pairs(24, axes=1))).reading
    assert reading.reason == "corpus_inadequate"
    assert "66 pairs" in reading.remedy


def test_what_the_head_was_pointed_along_is_what_it_reads() -> None:
    made = geometry(opened.inspection(planted.priced(), planted.signs(96)))
    fields = opened.fields(made)
    assert opened.value(made, "identity") < 1e-12
    assert fields["sign.whitened"].interval.low > fields["sign.null"].value
    assert abs(opened.value(made, "order.whitened")) < opened.value(made, "sign.whitened")
    assert opened.value(made, "together") > 0.9 * opened.value(made, "sign.whitened")
    assert opened.value(made, "sign.distance") == pytest.approx(epic(opened.value(made, "sign.whitened")))


def test_the_null_is_of_the_noise_and_not_of_the_concept() -> None:
    """A concept without any noise has nothing to be turned round: its own readout would come back as its null."""
    draw = np.random.default_rng(3)
    v, base = draw.normal(size=8), draw.normal(size=(24, 8))
    x = np.stack([base + v, base - v], axis=1)
    pairs = tuple(Pair(number, f"q{number}", "a", "b", "c") for number in range(24))
    streams = Streams(pairs, (1,), x[:, :, None], np.zeros((24, 2)))
    concept = Concept("c", list(pairs), [])
    turned = _readout(x, streams, concept, draw.choice([-1.0, 1.0], (50, 24)))
    assert turned.shape == (50, 8)
    assert np.abs(turned).max() < 1e-12 * np.abs(_readout(x, streams, concept)).max()


def test_members_are_compared_by_what_they_say_and_never_raw() -> None:
    made = geometry(opened.inspection(subjects.model("ensemble"), opened.pairs(24)))
    fields = opened.fields(made)
    distances = [name for name in fields if name.endswith(".distance")]
    assert len(distances) == 3
    assert all(0 < fields[name].interval.low <= fields[name].value <= fields[name].interval.high for name in distances)
    assert {fields[name].reason for name in fields if name.endswith(".raw")} == {"assumption_violated"}
    same = [
        d
        for a, b, d in zip(*(made.tables["members"][k] for k in ("member", "other", "distance")), strict=True)
        if a == b
    ]
    assert same == pytest.approx([0.0] * 3, abs=1e-7)
