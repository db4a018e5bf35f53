"""Fixtures every test area shares."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder with the shared corpora; skips where it isn't."""
    folder = Path(os.environ.get("EVIDENCE_LENS_SHARED", ROOT.parent / "shared"))
    if not (folder / "data").is_dir():
        pytest.skip("shared corpora not here: set EVIDENCE_LENS_SHARED to their folder")
    return folder


@pytest.fixture(scope="session")
def ray_cluster() -> Iterator[str]:
    """The address of a cluster of two nodes with one worker each, on this machine.

    Whoever uses it is marked `@pytest.mark.xdist_group("ray")`, so that one test process starts it, once.
    """
    pytest.importorskip("ray", reason="ray is not installed: pip install 'evidence-lens[cluster]'")
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 80 * 2**20, "include_dashboard": False}
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patched.setenv(
            "PYTHONPATH", os.pathsep.join([str(ROOT), str(ROOT / "tests" / "measure")])
        )  # the tests' own jobs
        cluster = Cluster()
        for _ in range(2):
            cluster.add_node(**node)
    yield str(cluster.address)
    cluster.shutdown()
