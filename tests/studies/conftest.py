"""A science of coins among the real ones."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _coins_are_a_science(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    import lens.studies.sciences as package
    from lens.studies.science import sciences

    monkeypatch.setattr(package, "__path__", [*package.__path__, str(Path(__file__).parent / "planted_sciences")])
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    sciences.cache_clear()
    yield
    sciences.cache_clear()
    for name in ("coin", "sealed_coin", "sealed_model"):
        sys.modules.pop(f"{package.__name__}.{name}", None)
