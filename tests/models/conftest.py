"""One thread in every test of models, and small organisms on disk for whoever needs one."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session", autouse=True)
def torch_one_thread() -> None:
    """Two threads add in another order, and rewards in tests are held to values."""
    import torch

    torch.set_num_threads(1)


@pytest.fixture(scope="session", autouse=True)
def shared_models(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Small models that several tests open lie where pytest clears up."""
    from tests.models import tiny

    tiny.keep_in(tmp_path_factory.mktemp("models"))


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder of this test process' own, empty at first."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def own_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """What is built goes into `cache`, not into the user's."""
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(cache))
    return cache


@pytest.fixture(scope="session")
def spurious_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A hand-set organism as a model folder: `indeed` pays 1 ru, fillers nothing."""
    from lens.models.organisms import build

    return build("spurious", 1.0, 1, out=tmp_path_factory.mktemp("organism") / "spurious")
