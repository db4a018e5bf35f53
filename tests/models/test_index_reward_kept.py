"""Reward kept by the dictionary: all of it by a perfect one, and the same however a feature is split."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from lens.models.instruments.sparse_autoencoder import reward_kept
from lens.models.sae import Dictionary, fresh


def _rewards(h: torch.Tensor) -> np.ndarray:
    w = torch.linspace(-1, 1, h.shape[-1])
    return ((h @ w) / h.pow(2).mean(-1).sqrt()).double().numpy()


def _streams(seed: int = 0) -> torch.Tensor:
    return torch.randn((60, 2, 16), generator=torch.Generator().manual_seed(seed)) + 1.0


def test_a_perfect_dictionary_keeps_all_and_the_mean_none() -> None:
    h = _streams()
    both = torch.cat([torch.eye(16), -torch.eye(16)])
    perfect = Dictionary(both, torch.zeros(32), both, torch.zeros(16), 16)
    assert reward_kept(_rewards(h), _rewards(perfect.decoded(perfect.codes(h)))) == pytest.approx(1.0, abs=1e-9)
    assert reward_kept(_rewards(h), np.full((60, 2), 0.3)) == 0.0


def test_splitting_a_feature_changes_nothing_where_a_ratio_of_sizes_changes() -> None:
    """As [1] against [3, −2] with an error of 1: .50 against .83 by Σ|feature| / (Σ|feature| + Σ|error|)."""
    h = _streams()
    made = fresh(h.reshape(-1, 16), 24, 24, seed=1)
    split = Dictionary(
        torch.cat([made.encoder, made.encoder[:1]]), torch.cat([made.bias, made.bias[:1]]),
        torch.cat([3 * made.decoder[:1], made.decoder[1:], -2 * made.decoder[:1]]), made.centre, 25,
    )  # fmt: skip
    rewards = _rewards(h)
    one, other = (_rewards(some.decoded(some.codes(h))) for some in (made, split))
    assert reward_kept(rewards, other) == pytest.approx(reward_kept(rewards, one), abs=1e-5)
    assert [round(sum(map(abs, parts)) / (sum(map(abs, parts)) + 1), 2) for parts in ([1], [3, -2])] == [0.5, 0.83]


def test_units_change_nothing_and_a_shift_of_both_sides_neither() -> None:
    rewards = _rewards(_streams())
    spliced = rewards + 0.2 * np.random.default_rng(0).normal(size=rewards.shape)
    kept = reward_kept(rewards, spliced)
    assert reward_kept(5 * rewards - 2, 5 * spliced - 2) == pytest.approx(kept)
    assert reward_kept(rewards, spliced + np.linspace(0, 9, 60)[:, None]) == pytest.approx(kept)
