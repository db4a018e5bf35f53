"""Reports of SWE-bench evaluations: zeros where the harness failed, patches never made, several submissions."""

from __future__ import annotations

import gzip
import json
import shutil
from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.reading import Measured, Quantity
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.scores.abstention import abstention
from lens.runs.scores.zeros import zeros

FIXTURE = Path(__file__).parent / "fixtures" / "swebench_report" / "made.report.json"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


def counts(reading: object) -> dict[str, tuple[float, int | None]]:
    assert isinstance(reading, Measured)
    return {name: (one.value, one.of) for name, one in reading.fields.items() if isinstance(one, Quantity)}


def verdicts(run: Record) -> list[tuple[int, float | None, bool]]:
    return run.sql("SELECT line, reward, failed FROM rollouts ORDER BY line")


def test_a_zero_is_the_patch_s_own_only_where_tests_ran_or_it_was_refused() -> None:
    run = open_run(str(FIXTURE))
    assert run.header.adapter == "swebench_report"
    assert verdicts(run) == [
        (1, None, False),  # no patch
        (2, 0.0, False),  # tests ran
        (3, 1.0, False),
        (4, 0.0, False),  # refused
        (5, 0.0, True),  # not installed
        (6, 0.0, True),  # neither applied nor refused
        (7, 0.0, True),  # no log
    ]
    assert [(one.code, one.rows) for one in run.header.findings] == [("listed-twice", 1)]
    assert counts(zeros(run))["silent"] == (3, 5)


def test_submissions_beside_each_other_are_rollouts_of_an_instance(tmp_path: Path) -> None:
    folder = tmp_path / "reports"
    folder.mkdir()
    shutil.copy(FIXTURE, folder / "a.report.json")
    (folder / "b.report.json.gz").write_bytes(gzip.compress(FIXTURE.read_bytes()))
    run = open_run(str(folder))
    assert (run.counts["rows"], run.counts["groups"]) == (14, 7)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"resolved": "made__repo-3"}, "looks like no format"),
        ({"applied": [1]}, "applied is no list"),
        ({"install_fail": None}, "install_fail is no list"),
    ],
)
def test_lists_that_are_none_are_told_by_name(tmp_path: Path, change: dict[str, object], says: str) -> None:
    path = tmp_path / "made.report.json"
    path.write_text(json.dumps(json.loads(FIXTURE.read_text()) | change))
    with pytest.raises(UsageError, match=says):
        open_run(str(path))


def test_five_real_submissions(shared: Path) -> None:
    folder = shared / "data" / "corpora" / "swebench_logs"
    run = open_run(str(folder))
    reports = [json.loads(gzip.decompress(path.read_bytes())) for path in folder.glob("*.report.json.gz")]
    given = [set(one["generated"]) for one in reports]
    nothing_known = [
        patches - set(one["resolved"]) - set(one["applied"]) - set(one["no_apply"])
        for one, patches in zip(reports, given, strict=True)
    ]
    unsolved = sum(len(patches - set(one["resolved"])) for one, patches in zip(reports, given, strict=True))
    without = sum(len(set(one["no_generation"]) - patches) for one, patches in zip(reports, given, strict=True))
    found = counts(zeros(run))
    assert found["silent"] == (sum(map(len, nothing_known)), unsolved) == (1, 796)
    assert counts(abstention(run))["abstained"] == (without, sum(map(len, given)) + without) == (15, 1351)
