"""The benchmark of large models: its whole path on a CPU at a small size, and the decline where no GPU is at hand."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from bench import gpu
from bench.__main__ import evidence, measured
from lens.reading import Declined, Quantity
from measure.machine import machine


def test_the_same_code_runs_small() -> None:
    rows = gpu.rates(gpu.SMALL, "cpu", "a CPU")
    assert [row["name"] for row in rows] == ["scoring", "component-grid"]
    for row in rows:
        assert row["ours"] / row["peer"] == pytest.approx(1 / row["ratio"])
        assert row["ours"] > 0
    assert isinstance(measured(rows, machine()).fields["scoring.ours"], Quantity)


def test_without_a_gpu_it_is_not_run(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    reading = evidence("gpu", gpu.run(), machine()).reading
    assert isinstance(reading, Declined)
    assert (reading.reason, reading.remedy) == ("not_run", gpu.REMEDY)


def test_the_arithmetic_of_a_token() -> None:
    """An 8B model: two operations a weight of its blocks, 6.98e9 of them, and attention."""
    weights = gpu._flops_a_token(gpu.LARGE._replace(tokens=0)) / 2
    assert weights == 32 * (2 * 4096**2 + 2 * 4096 * 1024 + 3 * 4096 * 14336)
    assert weights == pytest.approx(6.98e9, rel=1e-3)
