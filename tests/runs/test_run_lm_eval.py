"""lm-evaluation-harness: rows of a document and its filters are one rollout."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run

FIXTURE = Path(__file__).parent / "fixtures" / "lm_eval"
NAME = "samples_sums_2026-11-30T05-48-55.223416.jsonl"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


def rows() -> list[dict[str, object]]:
    return [json.loads(line) for line in (FIXTURE / NAME).read_text().splitlines()]


def put(folder: Path, *listed: dict[str, object], name: str = NAME) -> Path:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("".join(json.dumps(row) + "\n" for row in listed))
    return folder


def test_two_filters_of_a_document_are_two_leaves_of_one_rollout() -> None:
    run = open_run(str(FIXTURE))
    assert run.header.adapter == "lm_eval"
    assert run.header.leaves == ("exact_match,strict", "exact_match,loose")
    assert run.counts == {"rows": 5, "steps": 1, "groups": 5, "first": 0, "last": 0}
    found = run.sql('SELECT avg("score.exact_match,strict"), avg("score.exact_match,loose") FROM rollouts')
    assert found == [(0.6, 0.8)]  # as its results file says of the two filters
    assert run.sql("SELECT prompt, completion FROM texts ORDER BY row")[1] == ("2 plus 2 =", "it is 4")
    assert "reward" in run.header.gaps


def test_one_filter_and_metric_is_the_reward(tmp_path: Path) -> None:
    run = open_run(str(put(tmp_path / "run", *[row for row in rows() if row["filter"] == "strict"])))
    assert run.header.leaves == ("exact_match",)
    assert run.sql("SELECT sum(reward) FROM rollouts") == [(3.0,)]


def test_a_document_evaluated_again_counts_once_and_lists_are_left_out(tmp_path: Path) -> None:
    strict = [row for row in rows() if row["filter"] == "strict"]
    changed = {**strict[1], "exact_match": 1.0}
    mixed = {**strict[0], "metrics": ["exact_match", "bits"], "bits": [1.0, 2.0]}
    run = open_run(str(put(tmp_path / "run", mixed, *strict[1:], changed)))
    assert run.sql("SELECT sum(reward), count(*) FROM rollouts") == [(4.0, 5)]
    assert [(one.code, one.line, one.rows) for one in run.header.findings] == [
        ("score-left-out", 1, 0),
        ("repeated-document", 6, 1),
    ]


def test_two_evaluations_of_a_task_ask_which_and_two_tasks_are_read(tmp_path: Path) -> None:
    folder = put(tmp_path / "run", *rows())
    shutil.copy(folder / NAME, folder / NAME.replace("sums", "other"))
    assert open_run(str(folder)).counts["groups"] == 10
    shutil.copy(folder / NAME, folder / NAME.replace("05-48", "06-48"))
    with pytest.raises(UsageError, match="holds 2 evaluations of sums"):
        open_run(str(folder))


def test_a_row_that_is_off_is_named(tmp_path: Path) -> None:
    for change, says in [
        ({"doc_id": "a"}, "doc_id is 'a', not a whole number"),
        ({"metrics": "exact_match"}, "metrics is str, not a list of names"),
        ({"exact_match": "1.0"}, r"exact_match is str '1\.0', not a number"),
    ]:
        folder = put(tmp_path / "run", {**rows()[0], **change})
        with pytest.raises(UsageError, match=rf"samples_sums.*:1: {says}"):
            open_run(str(folder))
