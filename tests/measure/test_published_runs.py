"""What of runs and records is on the published site: each opens here, and names its licence and where it lies."""

from __future__ import annotations

from pathlib import Path

import pytest

from lens.reading import Declined, Measured
from lens.runs.opening import find_run
from measure.published import RECORDS, RUNS, _apart
from measure.request import Request
from measure.reviewing import RunRequest, reviewed
from measure.store import Store

ROOT = Path(__file__).parent.parent.parent
RECORDED = [one for one in RUNS if one.path.startswith("shared:")]


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("request_", RECORDED, ids=[one.name for one in RECORDED])
def test_every_recorded_run_is_recognised_and_has_a_licence(request_: RunRequest, shared: Path) -> None:
    assert request_.licence
    assert find_run(request_.path, map=request_.map).adapter.name


def test_evidence_of_a_run_names_its_files_and_their_licence(tmp_path: Path, shared: Path) -> None:
    request = next(one for one in RUNS if one.map)
    chosen = RunRequest(**{**vars(request), "instruments": ("group-size", "replay")})
    with reviewed(chosen, tmp_path / "data", workers=1) as reviewing:
        reviewing.run(show=False)
    store = Store.open(tmp_path / "data")
    (given,) = store.record(f"runs/{request.name}/group-size").evidence.inputs
    assert given.locator == f"run:{request.path} --map {request.map}"
    assert given.licence == "MIT"
    assert isinstance(store.record(f"runs/{request.name}/group-size").evidence.reading, Measured)
    assert isinstance(store.record(f"runs/{request.name}/replay").evidence.reading, Declined)


def test_what_reads_the_record_is_asked_apart_from_what_reads_the_grader() -> None:
    (slug, record), *_ = RECORDS.items()
    grader, of_record = _apart(Request(slug, ("corpus",)), record)
    assert {"silent-zeros", "abstention-channel", "group-size", "exploit-families"} <= set(of_record.instruments)
    assert not set(grader.instruments) & set(of_record.instruments)
    assert (grader.record, of_record.record, of_record.corpora) == ("", record, ())
