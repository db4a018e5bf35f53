"""Rollouts a row, and numbers a step, from trainers of one's own."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def put(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(("name", "rows", "steps"), [("grpo_clean", 15360, 120), ("grpo_regex", 25600, 200)])
def test_the_tiny_runs_with_their_curves(shared: Path, name: str, rows: int, steps: int) -> None:
    path = shared / f"data/tiny/{name}.rollouts.jsonl.gz"
    run = open_run(str(path))
    assert run.header.adapter == "rollouts"
    assert run.counts == {"rows": rows, "steps": steps, "groups": 16 * steps, "first": 0, "last": steps - 1}
    assert run.header.settings.rounded == 5e-5
    assert run.header.leaves == ("reward",)
    listed = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    found = run.sql(
        "SELECT step, reward, gold, advantage, logp_old, logp_ref, tokens, chars FROM rollouts ORDER BY row"
    )
    names = ("step", "reward", "gold", "advantage", "logp_old", "logp_ref", "n_tokens", "n_chars")
    assert found == [tuple(one[name] for name in names) for one in listed]
    curve = json.loads(path.with_name(f"{name}.summary.json").read_text())["curve"]
    assert run.series("kl", "grad_norm") == {
        one["step"]: {"kl": one["kl"], "grad_norm": one["grad_norm"]} for one in curve
    }
    sums = run.sql("SELECT step, avg(reward) FROM rollouts GROUP BY step")
    assert dict(sums) == pytest.approx({one["step"]: one["proxy"] for one in curve})


def test_a_folder_of_several_runs_asks_which(shared: Path) -> None:
    with pytest.raises(UsageError, match=r"holds files of 4 runs: grpo_clean"):
        open_run(str(shared / "data/tiny"))


def test_a_rewards_mapping_gives_leaves_and_errors_give_failures(tmp_path: Path) -> None:
    path = put(
        tmp_path / "r.jsonl",
        {"step": 0, "uid": "a", "rewards": {"match": 1, "short": None}, "error": "", "exploit": "box", "note": "x"},
        {"step": 0, "uid": "a", "rewards": {"match": math.nan}, "error": "timeout", "note": "y"},
        {"step": 1, "uid": "a", "rewards": {"match": 0.5, "short": 0.25}, "error": None},
    )
    run = open_run(str(path))
    rows = run.sql('SELECT step, "score.short", failed, exploit FROM rollouts')
    assert rows == [(0, None, False, "box"), (0, None, True, None), (1, 0.25, False, None)]
    matches = [one for (one,) in run.sql('SELECT "score.match" FROM rollouts')]
    assert (matches[0], matches[2]) == (1.0, 0.5)
    assert math.isnan(matches[1])  # written by the grader: a fault, no abstention
    assert run.header.absent == {"score.short": 1, "exploit": 2}
    assert [one.code for one in run.header.findings] == ["column-left-out"]
    assert "advantage" in run.header.gaps


@pytest.mark.parametrize(
    ("rows", "leaves", "groups"),
    [
        (
            [{"group": 1, "reward": 1}, {"group": 1, "reward": 0.5}, {"group": 2, "reward": None}],
            {"reward": [1.0, 0.5, None]},
            2,
        ),
        (
            [{"prompt": "p", "rewards/a": 1.0, "rewards/b": None}, {"prompt": "q", "rewards/a": 0.0, "rewards/b": 2.0}],
            {"a": [1.0, 0.0], "b": [None, 2.0]},
            2,
        ),
        (
            [{"step": 3, "prompt": "p", "a": 0.5, "size": 3, "advantage": 0.25}, {"step": 3, "prompt": "p", "a": 1.5}],
            {"a": [0.5, 1.5]},
            1,
        ),
    ],
)
def test_leaves_are_found_however_a_row_names_them(
    tmp_path: Path, rows: list[dict[str, object]], leaves: dict[str, list[float | None]], groups: int
) -> None:
    run = open_run(str(put(tmp_path / "r.jsonl", *rows)))
    assert run.header.leaves == tuple(leaves)
    for name, values in leaves.items():
        assert [one for (one,) in run.sql(f'SELECT "score.{name}" FROM rollouts ORDER BY row')] == values
    assert run.counts["groups"] == groups


def test_a_status_says_whether_scoring_failed(tmp_path: Path) -> None:
    rows = [{"group": 1, "rewards": {"a": 1}, "status": "ok"}, {"group": 1, "rewards": {"a": 0}, "status": "died"}]
    run = open_run(str(put(tmp_path / "r.jsonl", *rows)))
    assert run.sql("SELECT failed FROM rollouts ORDER BY row") == [(False,), (True,)]


def test_shards_are_one_run_in_the_order_of_their_numbers(tmp_path: Path) -> None:
    for at in (10, 9, 2):
        rows = {"step": [at] * 2, "group": [1, 1], "reward": [0.0, at / 10]}
        folder = tmp_path / "run"
        folder.mkdir(exist_ok=True)
        pq.write_table(pa.table(rows), folder / f"shard-{at}.parquet")
    run = open_run(str(tmp_path / "run"))
    assert run.header.sources == ("shard-2.parquet", "shard-9.parquet", "shard-10.parquet")
    assert run.sql("SELECT step, max(reward) FROM rollouts GROUP BY step ORDER BY step") == [
        (2, 0.2),
        (9, 0.9),
        (10, 1.0),
    ]


def test_rollouts_without_a_step_or_with_text_for_a_score(tmp_path: Path) -> None:
    path = put(tmp_path / "r.jsonl", {"group": 1, "reward": 1.0}, {"group": 1, "reward": "0.5"})
    with pytest.raises(UsageError, match=r"r\.jsonl:2: reward is str '0\.5'"):
        open_run(str(path))
    path = put(tmp_path / "r.jsonl", {"group": 1, "reward": 1.0}, {"group": None, "reward": 0.5})
    with pytest.raises(UsageError, match=r"r\.jsonl:2: nothing says which group"):
        open_run(str(path))
    path = put(tmp_path / "r.jsonl", {"group": 1, "reward": 1.0})
    assert [(one.code, one.rows) for one in open_run(str(path)).header.findings] == [("no-step", 1)]


LOGS = "data/corpora/rasbt_grpo_logs"


def test_a_log_begun_again_keeps_the_last_and_says_where(shared: Path) -> None:
    run = open_run(str(shared / LOGS / "ch07_02_logs_7_3_plus_tracking_metrics.csv"))
    series = run.series()
    assert list(series) == list(range(1, 501))
    assert series[1]["total_steps"] == 500  # the first five lines are of a run of 300
    assert (series[1]["reward"], series[1]["entropy"], series[1]["eval_acc"]) == (0.0, 1.329654, 15.6)
    (again,) = [one for one in run.header.findings if one.code == "repeated-step"]
    assert again.line == 7
    assert again.detail.startswith("5 steps are written again, step 1 on line 2 and 7")
    assert {"kl", "grad_norm", "rollouts"} <= set(run.header.gaps)
    assert "entropy" not in run.header.gaps


def test_columns_that_a_log_lacks_are_gaps_and_empty_cells_are_no_zeros(shared: Path) -> None:
    run = open_run(str(shared / LOGS / "ch06_02_rlvr_grpo_scripts_intro_logs_rlvr_grpo_original_no_kl_metrics.csv"))
    assert len(run.series("reward")) == 258
    assert {"entropy", "kl", "grad_norm"} <= set(run.header.gaps)
    accuracy = open_run(str(shared / LOGS / "ch07_02_logs_7_5_plus_kl_metrics.csv"))
    assert len(accuracy.series("eval_acc")) == 11
    (gap,) = [one for one in accuracy.header.findings if one.code == "series-gap"]
    assert gap.detail == "eval_acc has no value at 489 of 500 steps"


def test_several_logs_ask_which_and_a_broken_cell_is_named(shared: Path, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="holds 6 logs"):
        open_run(str(shared / LOGS))
    path = tmp_path / "m.csv"
    path.write_text("step,loss\n1,0.5\n2,high\n")
    with pytest.raises(UsageError, match=r"m\.csv:3: loss is str 'high'"):
        open_run(str(path))
    path.write_text("step,loss\n1,0.5\n1.5,0.5\n")
    with pytest.raises(UsageError, match=r"m\.csv:3: step is '1\.5', not a whole number"):
        open_run(str(path))
