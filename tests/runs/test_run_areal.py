"""AReaL's rollout files, as its own executor wrote them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run
from lens.runs.review import lacking

FIXTURE = Path(__file__).parent / "fixtures/areal"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(one) for one in (FIXTURE / name).read_text().splitlines()]


def put(path: Path, *some: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in some))


def test_groups_are_tasks_and_evaluations_are_left_out() -> None:
    run = open_run(str(FIXTURE))
    assert run.header.adapter == "areal"
    sizes = run.sql(
        'SELECT step, count(*), min(tokens), max(tokens), min(sampled_at) FROM rollouts GROUP BY step, "group"'
    )
    assert sorted(sizes) == [(2, 3, 1, 2, 2), (2, 4, 1, 2, 1), (3, 2, 1, 1, 3)]


def test_a_task_whose_empty_completions_were_not_written_is_short() -> None:
    run = open_run(str(FIXTURE))
    (short, step) = run.header.findings
    assert (short.code, short.rows) == ("short-groups", 3)
    assert "groups of 2, 3, 4 where 4 were sampled" in short.detail
    assert step.code == "step-is-version"


def test_missing_columns_decline_with_its_own_options() -> None:
    run = open_run(str(FIXTURE))
    for name in ("advantage", "logp_old", "series"):
        assert lacking(run, name) is not None
    assert "stats_logger.tensorboard.path" in run.header.gaps["series"].remedy


def test_a_file_that_holds_a_task_twice_is_two_groups(tmp_path: Path) -> None:
    once = rows("rollout/2/41.jsonl")
    put(tmp_path / "rollout/2/41.jsonl", *once, *once)
    run = open_run(str(tmp_path))
    assert run.sql('SELECT count(*) FROM rollouts GROUP BY "group"') == [(4,), (4,)]
    assert [one.code for one in run.header.findings] == ["repeated-task", "step-is-version"]


@pytest.mark.parametrize(
    ("change", "said"),
    [({"seqlen": "5"}, "got `str`.*seqlen"), ({"reward": [1.0]}, "got `array`.*reward"), ({"prompt": 3}, "got `int`")],
)
def test_a_row_of_another_shape_names_file_line_and_field(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    some = rows("rollout/2/41.jsonl")
    put(tmp_path / "rollout/2/41.jsonl", some[0], some[1] | change)
    with pytest.raises(UsageError, match=rf"41\.jsonl:2: no sample: .*{said}"):
        open_run(str(tmp_path))
