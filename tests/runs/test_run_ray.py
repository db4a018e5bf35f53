"""Ranges of steps on two workers, of this machine or of a cluster, give the digests of one process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from lens.runs import record as records
from measure.reviewing import RunRequest, reviewed
from measure.store import Store

ROOT = Path(__file__).parent.parent.parent
READ = ("replay", "score-tree", "advantages", "selection", "counterfactual")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of 40 steps."""
    folder = tmp_path_factory.mktemp("run") / "record"
    script = ROOT / "bench" / "scripts" / "runs_record.py"
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, str(script), str(folder), "40000"], check=True, env=environment)
    return folder


def digests(folder: Path, data: Path, monkeypatch: pytest.MonkeyPatch, **where: Any) -> dict[str, str]:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(data.parent / "cache"))
    monkeypatch.setattr(records, "RANGE_ROWS", 6_000)
    with reviewed(RunRequest(str(folder), instruments=READ), data, **where) as reviewing:
        assert len(reviewing.review.run.ranges) == 7
        assert reviewing.run(show=False).failed == {}
    store = Store.open(data)
    return {id: store.record(id).digest for id in store.ids()}


@pytest.mark.parametrize("place", ["pool", pytest.param("cluster", marks=pytest.mark.xdist_group("ray"))])
def test_two_workers_give_the_digests_of_one_process(
    folder: Path, tmp_path: Path, place: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = digests(folder, tmp_path / "alone" / "data", monkeypatch, workers=1)
    where = {"workers": 2} if place == "pool" else {"ray": request.getfixturevalue("ray_cluster")}
    assert digests(folder, tmp_path / place / "data", monkeypatch, **where) == alone
    assert len(alone) == len(READ)
