"""Inspect's logs: scores recounted from samples, results by reducer, and logs that ended early."""

from __future__ import annotations

import json
import math
import zipfile
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.runs.formats.zipped import Zipped
from lens.runs.opening import open_run

FIXTURE = Path(__file__).parent / "fixtures" / "inspect" / "sums.eval"
LOGS = "data/runs/inspect"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


def again(path: Path, leave_out: tuple[str, ...] = (), **changed: Any) -> Path:
    """The fixture in a ZIP of its own, plainly compressed, without some members or with other values in its header."""
    with Zipped(FIXTURE) as log, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as copy:
        for name in log.names:
            data = log.read(name)
            if name == "header.json":
                data = json.dumps({**json.loads(data), **changed}).encode()
            if name not in leave_out:
                copy.writestr(name, data)
    return path


def test_marks_numbers_and_several_numbers_of_a_scorer_are_leaves() -> None:
    run = open_run(str(FIXTURE))
    assert run.header.adapter == "inspect"
    assert run.header.leaves == ("right", "length", "style.short", "style.polite")
    assert run.header.settings.group_size == 2
    assert run.counts == {"rows": 6, "steps": 1, "groups": 3, "first": 0, "last": 0}
    rows = run.sql(
        'SELECT "extra.epoch", sum("score.right"), sum("score.style.polite") FROM rollouts GROUP BY 1 ORDER BY 1'
    )
    assert rows == [(1.0, 2.0, 1.5), (2.0, 1.0, 0.0)]
    assert "reward" in run.header.gaps


def test_a_nan_among_epochs_is_counted_where_the_results_count_none() -> None:
    run = open_run(str(FIXTURE))
    (unscored,) = [one for one in run.header.findings if one.code == "unscored"]
    assert unscored.detail.startswith("1 of 6 scores of length are no number; results say 3 scored and 0 not")
    values = [one for (one,) in run.sql('SELECT "score.length" FROM rollouts')]
    assert sum(map(math.isnan, values)) == 1


def test_results_of_several_reducers_keep_their_names(shared: Path, tmp_path: Path) -> None:
    """UKGovernmentBEIS/inspect_ai#3914: two reducers of one scorer are two results."""
    assert open_run(str(FIXTURE)).series("right/mean/accuracy", "right/max/accuracy") == {
        0: {"right/mean/accuracy": 0.5, "right/max/accuracy": 1.0}
    }
    cases = {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}
    case = cases["inspect_reducer_collision"]
    run = open_run(
        str(again(tmp_path / "case.eval", results={"scores": case["input"]["scores"], "completed_samples": 6}))
    )
    assert run.series()[0] == case["right"]


def test_a_log_that_was_stopped_has_samples_and_no_results(tmp_path: Path) -> None:
    stopped = again(
        tmp_path / "stopped.eval", ("header.json", "reductions.json", "summaries.json", "samples/3_epoch_2.json")
    )
    run = open_run(str(stopped))
    assert run.counts["rows"] == 5
    (found,) = [one for one in run.header.findings if one.code == "no-results"]
    assert found.detail.startswith("the log's status is started: it has no results")
    assert "series" in run.header.gaps


def test_samples_fewer_than_the_results_say_are_told(tmp_path: Path) -> None:
    run = open_run(str(again(tmp_path / "short.eval", ("samples/1_epoch_1.json",))))
    assert "results say 6 samples, the log holds 5" in [one.detail for one in run.header.findings]


def test_damage_names_file_and_member(tmp_path: Path) -> None:
    cut = tmp_path / "cut.eval"
    cut.write_bytes(FIXTURE.read_bytes()[:5000])
    with pytest.raises(UsageError, match=r"cut\.eval: not a whole ZIP file"):
        open_run(str(cut))
    data = bytearray(FIXTURE.read_bytes())
    with zipfile.ZipFile(FIXTURE) as log:
        at = log.getinfo("samples/2_epoch_1.json").header_offset + 400
    data[at] ^= 0xFF
    flipped = tmp_path / "flipped.eval"
    flipped.write_bytes(bytes(data))
    with pytest.raises(UsageError, match=r"flipped\.eval: samples/2_epoch_1\.json"):
        open_run(str(flipped))


def test_the_real_logs(shared: Path) -> None:
    whole, error = sorted((shared / LOGS).glob("*.json"), reverse=True)
    run = open_run(str(whole))
    assert run.counts["rows"] == 12
    assert run.series()[0]["sometimes_nan/mean"] == 0.375
    (unscored,) = run.header.findings
    assert unscored.detail.startswith("1 of 12 scores of sometimes_nan are no number; results say 4 scored and 0 not")
    assert run.sql('SELECT sum("score.includes"), count("score.includes"), count(*) FILTER (failed) FROM rollouts') == [
        (0.0, 12, 0)
    ]
    failed = open_run(str(error))
    assert failed.sql('SELECT count("score.includes"), count(*) FILTER (failed) FROM rollouts') == [(0, 12)]
    assert [one.code for one in failed.header.findings] == ["no-results"]
    with pytest.raises(UsageError, match="holds 2 logs"):
        open_run(str(shared / LOGS))
