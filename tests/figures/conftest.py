"""Fixtures of the figures' tests."""

from __future__ import annotations

import alarm_evidence
import card_evidence
import model_evidence
import pytest
import run_evidence
import update_evidence
from figure_store import build

from measure.store import Store
from site_builder.lookup import Lookup


@pytest.fixture(scope="session")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    store = build(tmp_path_factory.mktemp("figures") / "data")
    store.write(model_evidence.items())
    store.write(update_evidence.items())
    store.write(alarm_evidence.items())
    store.write(run_evidence.items())
    store.write(card_evidence.items())
    return store


@pytest.fixture(scope="session")
def lookup(store: Store) -> Lookup:
    return Lookup(store)
