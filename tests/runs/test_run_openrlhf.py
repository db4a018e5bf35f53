"""OpenRLHF's table of samples, as its own W&B logger wrote it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run
from lens.runs.review import lacking

FIXTURE = Path(__file__).parent / "fixtures/openrlhf"
COLUMNS = ["global_step", "text", "reward"]


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def put(path: Path, *rows: list[object]) -> None:
    path.write_text(json.dumps({"columns": COLUMNS, "data": list(rows)}))


def test_a_table_that_grows_by_a_row_a_step_is_read_once() -> None:
    run = open_run(str(FIXTURE))
    assert run.header.adapter == "openrlhf"
    assert run.series() == {step: {"sample/reward": step / 4} for step in (1, 2, 3)}
    assert run.sql("SELECT count(*) FROM series") == [(3,)]
    assert run.header.findings == ()
    declined = lacking(run, "rollouts")
    assert declined is not None
    assert "one sample a step" in declined.detail


def test_a_step_with_two_samples_is_told(tmp_path: Path) -> None:
    put(tmp_path / "a.table.json", [1, "x", 0.5])
    put(tmp_path / "b.table.json", [1, "y", 0.25])
    run = open_run(str(tmp_path))
    assert [one.code for one in run.header.findings] == ["repeated-step"]
    assert run.series() == {1: {"sample/reward": 0.25}}


def test_a_row_of_other_cells_names_file_and_row(tmp_path: Path) -> None:
    put(tmp_path / "a.table.json", [1, "x", 0.5], [2, "y"])
    with pytest.raises(UsageError, match=r"a\.table\.json: row 2 has other cells"):
        open_run(str(tmp_path))
    put(tmp_path / "a.table.json", [1, "x", "0.5"])
    with pytest.raises(UsageError, match=r"a\.table\.json:1: reward is str '0\.5'"):
        open_run(str(tmp_path))
