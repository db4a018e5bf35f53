"""ART's trajectories and its history."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run

FIXTURE = Path(__file__).parent / "fixtures" / "art" / "sums"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


def test_metrics_are_leaves_and_durations_are_not() -> None:
    run = open_run(str(FIXTURE))
    assert run.header.adapter == "art"
    assert run.header.leaves == ("right", "short")
    assert run.counts == {"rows": 17, "steps": 3, "groups": 6, "first": 0, "last": 2}
    assert run.sql('SELECT count(*) FROM rollouts WHERE reward <> "score.right" + 0.5 * "score.short"') == [(0,)]
    assert run.sql('SELECT DISTINCT "extra.reply_duration" FROM rollouts') == [(0.25,)]
    assert run.sql("SELECT DISTINCT chars FROM rollouts ORDER BY chars")[0] == (len("assistant: 2"),)


def test_series_agree_with_rollouts_and_failed_trajectories_are_told() -> None:
    run = open_run(str(FIXTURE))
    means = run.sql("SELECT step, avg(reward) FROM rollouts GROUP BY step")
    assert {step: values["reward"] for step, values in run.series("reward").items()} == pytest.approx(dict(means))
    assert run.series("grad_norm") == {0: {"grad_norm": 1.5}, 1: {"grad_norm": 2.5}, 2: {"grad_norm": 3.5}}
    found = {one.code: (one.rows, one.detail) for one in run.header.findings}
    assert found["dropped-rows"] == (1, "trajectories that failed are not written: 1, of step 1")
    assert found["splits-left-out"][1].endswith("val")
    assert {"advantage", "logp_old"} <= set(run.header.gaps)


def test_without_history_there_is_no_series_and_damage_names_the_file(tmp_path: Path) -> None:
    copy = tmp_path / "sums"
    shutil.copytree(FIXTURE, copy)
    (copy / "history.jsonl").unlink()
    run = open_run(str(copy))
    assert run.series() == {}
    assert "series" in run.header.gaps
    broken = copy / "trajectories" / "train" / "0001.parquet"
    broken.write_bytes(broken.read_bytes()[:900])
    with pytest.raises(UsageError, match=r"0001\.parquet: not a whole Parquet file"):
        open_run(str(copy))
    pq.write_table(pa.table({"group_index": [0], "reward": [1.0], "metrics": ["{"]}), broken)
    with pytest.raises(UsageError, match=r"0001\.parquet:1: metrics: not JSON"):
        open_run(str(copy))
