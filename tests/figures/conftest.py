"""Fixtures of the figures' tests."""

from __future__ import annotations

import pytest
from figure_store import build

from measure.store import Store
from site_builder.lookup import Lookup


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return build(tmp_path_factory.mktemp("figures") / "data")


@pytest.fixture(scope="session")
def lookup(store: Store) -> Lookup:
    return Lookup(store)
