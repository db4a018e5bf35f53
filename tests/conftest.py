"""Fixtures every test area shares."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the shared corpora; skips where it isn't."""
    folder = Path(os.environ.get("EVIDENCE_LENS_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("shared corpora not here: set EVIDENCE_LENS_SHARED to their folder")
    return folder
