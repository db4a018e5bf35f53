"""Curvature by products: the same matrix that second differences give one column at a time."""

from __future__ import annotations

from functools import cache

import pytest
import torch

from lens.models.curvature import Curvature
from lens.models.instruments.hessian import asymmetry, hessian, negative
from lens.reading import Declined
from lens.stats.lanczos import Ritz, lanczos
from tests.models import opened

SMALL = {"hidden_size": 8, "intermediate_size": 8, "num_attention_heads": 2, "num_key_value_heads": 1, "head_dim": 4}


@cache
def _dense() -> torch.Tensor:
    model = opened.model("llama", **SMALL)
    curvature = Curvature.of(model, opened.preferred(opened.pairs(16), model).unique)
    return torch.stack([curvature.product(row) for row in torch.eye(curvature.size)])


def test_a_product_is_the_difference_of_two_slopes() -> None:
    model = opened.model("llama", **SMALL)
    curvature = Curvature.of(model, opened.pairs().pairs[:4])
    vector = torch.zeros(curvature.size)
    vector[-8:] = torch.randn(8, generator=torch.Generator().manual_seed(0))  # the head's part

    def slope(step: float) -> torch.Tensor:
        head = (curvature.head + step * vector[-8:]).requires_grad_()
        moved = Curvature(curvature.trunk, curvature.stream, curvature.ends, head, curvature.weights)
        return torch.autograd.grad(moved.loss(), head)[0]

    found = curvature.product(vector)[-8:]
    assert torch.allclose(found, (slope(1e-2) - slope(-1e-2)) / 2e-2, atol=2e-4)


def test_the_matrix_is_symmetric() -> None:
    matrix = _dense()
    assert torch.allclose(matrix, matrix.T, atol=1e-5 * float(matrix.abs().max()))
    model = opened.model("gemma2")
    assert asymmetry(Curvature.of(model, opened.pairs().pairs[:4]), 0) < 1e-5


def test_lanczos_and_hutchinson_agree_with_the_whole_spectrum() -> None:
    model = opened.model("llama", **SMALL)
    true = torch.linalg.eigvalsh(_dense().double())
    result = hessian(opened.inspection(model, opened.preferred(opened.pairs(16), model), controls=2))
    found = opened.fields(result)
    assert found["size"].value == len(true)
    assert found["largest"].value == pytest.approx(float(true[-1]), rel=1e-3)
    assert found["trace"].interval.low < float(true.sum()) < found["trace"].interval.high
    share = float(-true[true < 0].sum() / true.abs().sum())
    assert found["negative"].interval.low - 0.02 < share < found["negative"].interval.high + 0.02
    assert found["identity.symmetry"].value < 1e-5
    density = result.tables["density"]
    assert sum(density["weight"]) == pytest.approx(8, abs=1e-6)
    mean = sum(value * weight for value, weight in zip(density["eigenvalue"], density["weight"], strict=True)) / 8
    assert mean * len(true) == pytest.approx(found["trace"].value, rel=1e-3)


def test_all_steps_give_all_eigenvalues() -> None:
    draw = torch.Generator().manual_seed(3)
    half = torch.randn(12, 12, generator=draw, dtype=torch.float64)
    matrix = half + half.T
    ritz = lanczos(lambda v: matrix @ v, torch.randn(12, generator=draw, dtype=torch.float64), 12)
    assert ritz.values == pytest.approx(torch.linalg.eigvalsh(matrix).tolist(), abs=1e-8)
    assert negative(Ritz([-1.0, 3.0], [0.5, 0.5])) == 0.25


def test_half_precision_declines() -> None:
    reading = hessian(opened.inspection(opened.model("llama", dtype="bfloat16"), opened.pairs())).reading
    assert isinstance(reading, Declined)
    assert reading.remedy == "measure in fp32: --dtype float32"
