"""LEACE: closed form equal to the public implementation, certified on fresh rows, and leaking where rows are few."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from lens.models.instruments.erasure import erasure
from lens.models.leace import Eraser, fit
from lens.models.pairs import Pair, Pairs
from lens.models.probes import chance, held_out, linear, mlp
from tests.models import opened

torch.set_num_threads(1)
REFERENCE = Path(__file__).parent / "fixtures" / "leace.json"


def _rows(n: int, d: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Correlated rows in which k labels shift the mean."""
    draw = np.random.default_rng(seed)
    labels = (draw.normal(size=(n, k)) > 0).astype(float)
    mixed = draw.normal(size=(n, d)) @ draw.normal(size=(d, d)) / d**0.5
    return mixed + labels @ draw.normal(size=(k, d)) * 2, labels


@pytest.mark.parametrize("k", [1, 2])
def test_equals_the_public_implementation_with_shrinkage_off(k: int) -> None:
    x, z = _rows(30, 4, k)
    theirs = np.array(json.loads(REFERENCE.read_text())[str(k)])
    assert np.abs(fit(x, z)(x) - theirs).max() < 5e-13


def test_identities_hold_on_the_fitted_rows() -> None:
    x, z = _rows(300, 20, 2)
    eraser = fit(x, z)
    erased = eraser(x)
    assert eraser.rank == 2
    assert np.abs(np.cov(np.c_[erased, z].T)[:20, 20:]).max() < 1e-13
    assert np.abs(eraser(erased) - erased).max() < 1e-12
    assert np.abs(eraser.projection @ eraser.projection - eraser.projection).max() < 1e-12


def test_moves_the_rows_least_of_all_erasing_projections() -> None:
    x, z = _rows(300, 20, 1)
    eraser = fit(x, z)
    covariance = (z[:, 0] - z.mean()) @ (x - x.mean(axis=0)) / (len(x) - 1)
    away = covariance / np.linalg.norm(covariance)
    orthogonal = Eraser(np.outer(away, away), x.mean(axis=0), 1, 20)
    assert np.square(eraser(x) - x).sum() < np.square(orthogonal(x) - x).sum()
    assert np.abs((z[:, 0] - z.mean()) @ orthogonal(x)).max() / len(x) < 1e-12


def test_unchanged_by_an_invertible_change_of_basis() -> None:
    x, z = _rows(200, 8, 1)
    basis = np.random.default_rng(5).normal(size=(8, 8))
    assert fit(x @ basis, z)(x @ basis) == pytest.approx(fit(x, z)(x) @ basis, abs=1e-9)


def _sides(pairs: int, d: int, seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    return draw.normal(size=(pairs, 2, d)) + np.array([1.5, -1.5])[:, None] * np.eye(d)[0]


@pytest.mark.parametrize(("fitted", "leaks"), [(4000, False), (12, True)])
def test_fresh_probes_are_at_chance_unless_fitted_on_few_rows(fitted: int, leaks: bool) -> None:
    d = 32
    train, fresh = _sides(fitted, d, 1), _sides(200, d, 2)
    eraser = fit(train.reshape(-1, d), np.tile([1.0, -1.0], fitted))
    assert (eraser.held < d) == leaks
    for probe in (linear, mlp):
        before, after = (held_out(rows, range(200), probe) for rows in (fresh, eraser(fresh)))
        assert before.mean() > 0.85
        assert after.mean() > 0.6 if leaks else abs(after.mean() - 0.5) < 0.06
        assert 0.53 < chance(after, range(200), seed=0) < 0.56


def _marked(count: int) -> Pairs:
    """Replies that end in one sign or in another: read at the last token, the sign is in the stream."""
    texts = [f"{' '.join(opened.WORDS[(i * k) % 17] for k in (1, 3, 5))}" for i in range(count)]
    return Pairs("marked", tuple(Pair(i, f"q {i}: ", f"{t}!", f"{t}.", "sign") for i, t in enumerate(texts)), "marked")


def test_the_instrument_certifies_what_it_erases() -> None:
    made: Any = erasure(opened.inspection(opened.model(), _marked(120)))
    fields = opened.fields(made)
    assert fields["sign.before.linear"].of == 120
    assert fields["sign.before.linear"].value >= 100
    assert fields["sign.linear"].value / fields["sign.linear"].of <= fields["sign.chance"].value
    assert opened.value(made, "covariance") < 1e-12
    assert opened.value(made, "idempotent") < 1e-12
    assert abs(opened.value(made, "sign.left")) < abs(opened.value(made, "sign.left.control"))
    assert fields["sign.fit"].value == "120 rows in 32 dimensions, enough"


def test_few_rows_are_said_to_leak() -> None:
    fields = opened.fields(erasure(opened.inspection(opened.model(), _marked(20))))
    assert fields["sign.fit"].value == "20 rows in 32 dimensions, fewer than its dimensions: it leaks on fresh rows"


def test_other_networks_decline() -> None:
    found = erasure(opened.inspection(opened.model("gpt2"), _marked(20))).reading
    assert found.reason == "not_applicable"
