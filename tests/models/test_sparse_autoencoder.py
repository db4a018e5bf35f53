"""Dictionaries: a planted one is recovered, features and error add to the reward, and an untrained one is told."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from lens.errors import UsageError
from lens.models.instruments import sparse_autoencoder as module
from lens.models.instruments.sparse_autoencoder import sparse_autoencoder
from lens.models.sae import Dictionary, fresh, load, train
from lens.reading import Declined
from tests.models import opened, planted

torch.set_num_threads(1)


def _planted(n: int, seed: int, features: int = 20, d: int = 16, k: int = 2) -> tuple[torch.Tensor, torch.Tensor]:
    draw = torch.Generator().manual_seed(1234)
    atoms = torch.randn((features, d), generator=draw)
    atoms = atoms / atoms.norm(dim=1, keepdim=True)
    generator = torch.Generator().manual_seed(seed)
    active = torch.rand((n, features), generator=generator).topk(k, 1).indices
    codes = torch.zeros(n, features).scatter(1, active, 1 + torch.rand((n, k), generator=generator))
    return codes @ atoms + 0.5, atoms


def _missed(dictionary: Dictionary, rows: torch.Tensor) -> float:
    told = dictionary.decoded(dictionary.codes(rows))
    return float((rows - told).pow(2).sum() / (rows - rows.mean(0)).pow(2).sum())


def test_a_planted_dictionary_is_recovered() -> None:
    rows, atoms = _planted(3000, 1)
    made = train(rows, 40, 2, seed=0)
    found = (atoms @ made.decoder.T).amax(dim=1)
    assert float(found.mean()) > 0.95
    held_out, _ = _planted(500, 2)
    assert _missed(made, held_out) < 0.15
    assert _missed(fresh(rows, 40, 2, seed=0), held_out) > 0.5
    assert int((made.codes(held_out) > 0).sum(1).max()) <= 2


def test_a_dictionary_is_the_same_after_a_file(tmp_path: Path) -> None:
    rows, _ = _planted(200, 1)
    made = fresh(rows, 24, 3, seed=1)
    made.save(tmp_path / "sae.safetensors")
    again = load(tmp_path / "sae.safetensors", 16)
    assert torch.equal(again.codes(rows), made.codes(rows))
    assert torch.equal(again.decoded(again.codes(rows)), made.decoded(made.codes(rows)))
    with pytest.raises(UsageError, match="width"):
        load(tmp_path / "sae.safetensors", 32)
    with pytest.raises(UsageError, match="no dictionary"):
        load(tmp_path / "absent.safetensors", 16)
    (tmp_path / "torn.safetensors").write_bytes(b"12345678")
    with pytest.raises(UsageError, match="no dictionary"):
        load(tmp_path / "torn.safetensors", 16)


def test_splitting_a_feature_changes_nothing_that_is_kept() -> None:
    rows, _ = _planted(200, 1)
    made = fresh(rows, 24, 24, seed=1)
    split = Dictionary(
        torch.cat([made.encoder, made.encoder[:1]]), torch.cat([made.bias, made.bias[:1]]),
        torch.cat([made.decoder[:1] / 2, made.decoder[1:], made.decoder[:1] / 2]), made.centre, 25,
    )  # fmt: skip
    assert torch.allclose(split.decoded(split.codes(rows)), made.decoded(made.codes(rows)), atol=1e-5)


@pytest.fixture(scope="module")
def read() -> Any:
    return sparse_autoencoder(opened.inspection(planted.priced(), planted.signs(160), sample=80))


def test_features_constant_and_error_add_to_the_reward(read: Any) -> None:
    assert opened.value(read, "parts") < 1e-5


def test_a_trained_dictionary_keeps_more_than_an_untrained_one(read: Any) -> None:
    fields = opened.fields(read)
    assert fields["kept"].interval.low > opened.value(read, "untrained.high") > opened.value(read, "untrained.kept")
    assert fields["kept"].interval.high <= 1.0
    assert fields["dead"].of == 64
    assert 0 < fields["reward-error"].interval.low < fields["reward-error"].interval.high
    sizes = [abs(value) for value in read.tables["features"]["mean"]]
    assert sizes == sorted(sizes, reverse=True)
    assert fields["top"].value == f"feature {read.tables['features']['feature'][0]}"


@pytest.mark.parametrize("seed", range(100, 106))
def test_an_untrained_dictionary_shows_its_error_and_no_features(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever it is: half of all random ones keep more than any one other."""

    def untrained(_inspection: Any, rows: torch.Tensor) -> Any:
        return fresh(rows, 64, 4, seed=seed), "untrained"

    monkeypatch.setattr(module, "_dictionary", untrained)
    made = sparse_autoencoder(opened.inspection(planted.priced(), planted.signs()))
    fields = opened.fields(made)
    assert isinstance(fields["top"], Declined)
    assert made.tables == {}
    assert fields["dead"].of == 64
    assert opened.value(made, "reward-error") > 0
    assert opened.value(made, "parts") < 1e-5
