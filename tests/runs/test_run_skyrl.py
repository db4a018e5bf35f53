"""SkyRL's evaluations, and its pickles, which are not opened."""

from __future__ import annotations

import json
import pickle
import shutil
from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run

FIXTURE = Path(__file__).parent / "fixtures" / "skyrl"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


@pytest.mark.parametrize("path", [FIXTURE, FIXTURE / "dumped_evals"])
def test_evaluations_are_found_from_the_export_or_their_own_folder(path: Path) -> None:
    run = open_run(str(path))
    assert run.header.adapter == "skyrl"
    assert run.counts == {"rows": 12, "steps": 2, "groups": 6, "first": 0, "last": 5}


def test_scores_and_steps_are_those_written() -> None:
    run = open_run(str(FIXTURE))
    assert run.series() == {step: {"eval/all/avg_score": 0.5, "eval/all/pass_at_2": 1.0} for step in (0, 5)}
    rows = run.sql("SELECT step, avg(reward), count(*) FILTER (truncated) FROM rollouts GROUP BY step ORDER BY step")
    assert rows == [(0, 0.5, 3), (5, 0.5, 3)]
    assert run.sql('SELECT DISTINCT count(*) FROM rollouts GROUP BY "group"') == [(2,)]
    assert "advantage" in run.header.gaps


def test_a_score_a_token_is_summed_and_told() -> None:
    run = open_run(str(FIXTURE))
    assert [(one.code, one.rows) for one in run.header.findings] == [("score-summed", 4)]
    single = open_run(str(FIXTURE / "dumped_evals/global_step_5_evals/ours_other.jsonl"))
    assert single.sql("SELECT reward FROM rollouts") == [(0.0,), (1.0,)]


def test_a_pickle_is_refused_without_being_opened(tmp_path: Path) -> None:
    class Bomb:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return (Path.touch, (tmp_path / "opened",))  # type: ignore[return-value]

    folder = tmp_path / "run" / "dumped_data"
    folder.mkdir(parents=True)
    (folder / "global_step_1.pkl").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(UsageError, match=r"global_step_1\.pkl: a pickle runs whatever code is in it"):
        open_run(str(tmp_path / "run"))
    shutil.copytree(FIXTURE / "dumped_evals", tmp_path / "run" / "dumped_evals")
    run = open_run(str(tmp_path / "run"))
    assert run.counts["rows"] == 12
    assert "pickle-refused" in [one.code for one in run.header.findings]
    assert not (tmp_path / "opened").exists()


def test_a_row_of_another_writer_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "dumped_evals" / "global_step_3_evals"
    folder.mkdir(parents=True)
    path = folder / "a.jsonl"
    path.write_text(json.dumps({"input_prompt": "p", "score": 1}) + "\n" + json.dumps({"prompt": "p"}) + "\n")
    with pytest.raises(UsageError, match=r"a\.jsonl:2: no input_prompt"):
        open_run(str(tmp_path))
    path.write_text(json.dumps({"input_prompt": "p", "score": [1, None]}) + "\n")
    (value,) = open_run(str(tmp_path)).sql("SELECT isnan(reward) FROM rollouts")[0]
    assert value
