"""TRL's files: every generation once, leaves in the order of their weights, what repeats or is missing named."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lens.errors import UsageError
from lens.reading import Declined
from lens.runs.formats.trl import settings
from lens.runs.formats.trl_log import check
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.review import Review
from lens.runs.selection.replay import accepted
from lens.runs.selection.rules import Rule
from lens.runs.writer import Writer

ROWS = {  # run -> rollouts held, rollouts trained on
    "all_none_rows": (48, 48),
    "base": (96, 96),
    "batch_scale": (96, 96),
    "beta_kl": (96, 96),
    "constant": (32, 32),
    "logging2": (48, 96),
    "max_grad_norm_tiny": (48, 48),
    "name_clash": (24, 24),
    "none_scale": (96, 96),
    "norm_then_sum": (96, 96),
    "partition_clip": (96, 96),
    "partition_dapo": (960, 960),
    "partition_dapo_bf16": (96, 96),
    "partition_grpo_loss": (96, 96),
    "partition_gspo": (96, 96),
    "partition_reuse4": (24, 24),
    "reuse": (48, 48),
    "spg4_ga2": (192, 192),
}


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def micro(shared: Path, name: str) -> Record:
    return open_run(str(shared / "data/runs/trl_micro" / name))


def codes(run: Record) -> Counter[str]:
    return Counter(one.code for one in run.header.findings)


@pytest.mark.parametrize("name", ROWS)
def test_every_micro_run_opens_with_each_generation_once(shared: Path, name: str) -> None:
    run = micro(shared, name)
    assert (run.counts["rows"], run.header.trained) == ROWS[name]
    assert run.counts["groups"] * 4 == run.counts["rows"]
    assert run.header.adapter == "trl"


def test_weights_go_by_the_order_of_columns_and_not_by_the_sorted_log(shared: Path) -> None:
    run = micro(shared, "base")
    assert run.header.leaves == ("letter_frac", "digit_gate")
    assert run.header.settings.weights == {"letter_frac": 1.0, "digit_gate": 0.5}
    logged = run.series("reward")[1]["reward"]
    (mean,) = run.sql("SELECT avg(reward) FROM rollouts WHERE step = 1")[0]
    assert mean == pytest.approx(logged, abs=1e-6)


def test_none_is_an_abstention_and_a_rollout_without_any_score_has_no_reward(shared: Path) -> None:
    run = micro(shared, "all_none_rows")
    empty, rewards = run.sql('SELECT count(*) FILTER ("score.both_none" IS NULL), count(reward) FROM rollouts')[0]
    assert empty > 0
    assert rewards == run.counts["rows"] - empty


def test_log_extra_columns_are_not_leaves(shared: Path) -> None:
    assert "extra.n_chars" in micro(shared, "base").columns


@pytest.mark.parametrize(("name", "repeats"), [("reuse", 6), ("spg4_ga2", 6), ("partition_reuse4", 9)])
def test_a_generation_trained_on_again_is_named_and_counted_once(shared: Path, name: str, repeats: int) -> None:
    run = micro(shared, name)
    assert codes(run)["reused-rows"] == repeats
    told = next(one for one in run.header.findings if one.code == "reused-rows")
    assert told.file == "completions/completions_00002.parquet"
    assert "completions_00001.parquet" in told.detail


def test_tables_of_every_second_step_are_half_the_run(shared: Path) -> None:
    run = micro(shared, "logging2")
    (dropped,) = [one for one in run.header.findings if one.code == "dropped-rows"]
    assert dropped.rows == 48
    assert run.series("reward")[2]["reward"] == pytest.approx(0.5939, abs=5e-5)
    assert run.sql("SELECT avg(reward) FROM rollouts WHERE step = 2")[0][0] == pytest.approx(0.5882, abs=5e-5)


def test_two_functions_of_one_name_are_told(shared: Path) -> None:
    run = micro(shared, "name_clash")
    (clash,) = [one for one in run.header.findings if one.code == "overwritten-column"]
    assert clash.rows == 24
    assert "1.476" in clash.detail
    assert "score.letter_frac" in run.header.gaps
    assert codes(micro(shared, "constant"))["overwritten-column"] == 0


def test_a_shared_name_shows_in_the_log_where_the_table_hides_it(shared: Path) -> None:
    """Both functions of that run are one, so that its column is right by luck and its reward is twice the column."""
    (clash,) = [one for one in micro(shared, "all_none_rows").header.findings if one.code == "overwritten-column"]
    assert "counts both_none 2 times" in clash.detail


def test_rewards_absent_on_steps_that_did_not_generate_stay_gaps(shared: Path) -> None:
    series = micro(shared, "reuse").series("reward", "grad_norm")
    assert sorted(step for step, values in series.items() if "reward" not in values) == [2, 4, 6, 8, 10, 12]
    assert all("grad_norm" in values for values in series.values())


def test_kl_that_was_never_computed_is_a_gap(shared: Path) -> None:
    assert "beta is 0" in micro(shared, "base").header.gaps["kl"].detail
    assert "kl" not in micro(shared, "beta_kl").header.gaps


def test_gradients_are_joined_by_text_and_not_by_place(shared: Path) -> None:
    run = micro(shared, "partition_dapo")
    advantage = dict(run.sql("SELECT row, advantage FROM rollouts"))
    worst = in_place = 0.0
    for rows, trained, step in run.sql("SELECT row, advantage, step FROM grams"):
        assert -1 not in rows
        assert len(set(rows)) == len(rows)
        worst = max(worst, *(abs(advantage[row] - value) for row, value in zip(rows, trained, strict=True)))
        first = (step - 1) * 8
        in_place = max(in_place, *(abs(advantage[first + at] - value) for at, value in enumerate(trained)))
    assert worst < 1e-5
    assert in_place > 1


def test_without_a_configuration_the_rest_still_reads(shared: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(shared / "data/runs/trl_micro/base/completions", copy / "completions")
    run = open_run(str(copy))
    assert run.header.settings.weights is None
    assert "reward" not in run.columns
    assert codes(run)["leaves-guessed"] == 1
    assert "--config" in run.header.gaps["settings"].remedy
    assert run.counts["groups"] == 24
    with_it = open_run(str(copy), config=str(shared / "data/runs/trl_micro/base/grpo_config.json"))
    assert with_it.header.settings.weights == {"letter_frac": 1.0, "digit_gate": 0.5}


def test_a_cut_table_is_named(shared: Path, tmp_path: Path) -> None:
    copy = tmp_path / "run"
    shutil.copytree(shared / "data/runs/trl_micro/base", copy)
    table = copy / "completions/completions_00003.parquet"
    table.chmod(0o644)
    table.write_bytes(table.read_bytes()[:-40])
    with pytest.raises(UsageError, match=r"completions_00003\.parquet: not a whole Parquet file"):
        open_run(str(copy))


def test_two_draws_of_one_prompt_are_two_groups_and_odd_rows_are_told(tmp_path: Path) -> None:
    folder = tmp_path / "completions"
    folder.mkdir()
    table = {
        "step": [1] * 8,
        "prompt": ["p"] * 8,
        "completion": list("abcdefgh"),
        "r": [0.0, 1.0] * 4,
        "advantage": [0.0] * 8,
    }
    pq.write_table(pa.table(table), folder / "completions_00001.parquet")
    config = tmp_path / "grpo_config.json"
    config.write_text(json.dumps({"num_generations": 4, "scale_rewards": "group"}))
    assert open_run(str(tmp_path)).counts["groups"] == 2
    config.write_text(json.dumps({"num_generations": 3, "scale_rewards": "group"}))
    odd = open_run(str(tmp_path))
    assert codes(odd)["groups-unclear"] == 1
    assert odd.counts["groups"] == 1


def case(shared: Path, id_: str) -> dict[str, Any]:
    cases = map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())
    found: dict[str, Any] = next(one for one in cases if one["id"] == id_)
    return found


def folder(path: Path, config: dict[str, Any] | None, *tables: dict[str, list[Any]], log: list[Any] = ()) -> Path:  # type: ignore[assignment]
    """A run as TRL leaves it: one table a step, from the first."""
    (path / "completions").mkdir(parents=True)
    for step, columns in enumerate(tables, 1):
        size = len(next(iter(columns.values())))
        whole = {
            "step": [step] * size,
            "prompt": ["p"] * size,
            "completion": [f"c{at}" for at in range(size)],
        } | columns
        pq.write_table(pa.table(whole), path / f"completions/completions_{step:05d}.parquet")
    if config is not None:
        (path / "grpo_config.json").write_text(json.dumps({"scale_rewards": "group"} | config))
    if log:
        (path / "log_history.json").write_text(json.dumps(log))
    return path


def test_case_logged_reward_ignores_weights(shared: Path, tmp_path: Path) -> None:
    given = case(shared, "logged_reward_ignores_weights")["input"]
    writer = Writer(tmp_path, tmp_path)
    writer.settings = settings({"reward_weights": given["reward_weights"], "scale_rewards": "group"}, ("f1", "f2"))
    check([given["log"]], ("f1", "f2"), writer)
    assert [one.code for one in writer.findings] == ["logged-reward"]


@pytest.mark.parametrize("id_", ["abstain_all_none_row", "partial_none_two_funcs"])
def test_case_of_abstentions(shared: Path, tmp_path: Path, id_: str) -> None:
    found = case(shared, id_)
    given, right = found["input"], found["right"]
    leaves = {name: [row[name] for row in given["rows"]] for name in given["reward_funcs"]}
    config = {"num_generations": given["num_generations"], "reward_weights": given["weights"]}
    log = [{"step": 1, **{f"rewards/{name}/mean": 0.5 for name in leaves}}]
    run = open_run(str(folder(tmp_path / "run", config, leaves | {"advantage": right["advantage"]}, log=log)))
    nulls = [row for name in leaves for (row,) in run.sql(f'SELECT row FROM rollouts WHERE "score.{name}" IS NULL')]
    assert nulls == right.get("abstained", right.get("partial_abstain_rows"))
    totals = [one for (one,) in run.sql("SELECT reward FROM rollouts ORDER BY row")]
    assert totals == right.get("total", [1.0, 0.0, None, 1.0])
    fits = accepted(Review(run=run))
    assert not isinstance(fits, Declined)
    assert Rule("group", 1, 1e-4) in fits


def test_case_trl_reuse_duplicate_rows(shared: Path, tmp_path: Path) -> None:
    found = case(shared, "trl_reuse_duplicate_rows")
    tables = [{"completion": texts, "r": [0.0, 1.0]} for texts in found["input"]["files"].values()]
    run = open_run(str(folder(tmp_path / "run", None, *tables)))
    assert run.counts["rows"] == found["right"]["rollouts"]
    (told,) = [one for one in run.header.findings if one.code == "reused-rows"]
    ((kept, again),) = found["right"]["reused_files"]
    assert f"{again}.parquet" in told.file
    assert f"{kept}.parquet" in told.detail


def test_case_trl_logging_steps_drop(shared: Path, tmp_path: Path) -> None:
    found = case(shared, "trl_logging_steps_drop")
    given = found["input"]
    size = given["rows_in_file"]
    config = {"generation_batch_size": size, "logging_steps": given["logging_steps"], "num_generations": 4}
    log = [
        {"step": given["optimizer_steps"], "reward": given["logged_reward"], "rewards/r/mean": given["logged_reward"]}
    ]
    run = open_run(str(folder(tmp_path / "run", config, {"r": [given["table_mean"]] * size}, log=log)))
    assert run.header.trained is not None
    assert run.counts["rows"] / run.header.trained == found["right"]["coverage"]
    (told,) = [one for one in run.header.findings if one.code == "dropped-rows"]
    assert "logged means cover all" in told.detail


def logs(weights: dict[str, float], means: list[list[float]]) -> list[dict[str, float]]:
    rows = [dict(zip(weights, row, strict=True)) for row in means]
    return [
        {"step": step, "reward": sum(weights[name] * row[name] for name in row)}
        | {f"rewards/{name}/mean": mean for name, mean in row.items()}
        for step, row in enumerate(rows, 1)
    ]


MEANS = [[0.25, 0.5], [0.5, 0.125], [0.75, 0.75], [0.1, 0.9]]


@pytest.mark.parametrize("weights", [{"a": 1.0, "b": 0.25}, {"a": 1.0, "b": 1.0}])
def test_weights_that_only_the_log_tells(tmp_path: Path, weights: dict[str, float]) -> None:
    table = {"b": [0.0, 1.0], "a": [0.5, 0.5]}
    run = open_run(str(folder(tmp_path / "run", None, table, log=logs(weights, MEANS))))
    assert run.header.settings.weights == weights
    assert list(run.header.settings.weights or ()) == ["b", "a"]
    (told,) = [one for one in run.header.findings if one.code == "weights-from-log"]
    assert ("plain sum" in told.detail) == (set(weights.values()) == {1.0})
    assert run.sql("SELECT reward FROM rollouts ORDER BY row") == [(0.5,), (0.5 + weights["b"],)]
    assert "settings" in run.header.gaps


@pytest.mark.parametrize(
    "log",
    [
        logs({"a": 1.0, "b": 0.25}, MEANS[:2]),  # no more steps than components
        logs({"a": 1.0, "b": 0.25}, [[one, one / 2] for one, _ in MEANS]),  # never apart
        [row | {"reward": row["reward"] + at * 1e-3} for at, row in enumerate(logs({"a": 1.0, "b": 0.25}, MEANS))],
    ],
)
def test_weights_that_the_log_leaves_open_stay_unknown(tmp_path: Path, log: list[Any]) -> None:
    run = open_run(str(folder(tmp_path / "run", None, {"a": [0.5, 0.5], "b": [0.0, 1.0]}, log=log)))
    assert run.header.settings.weights is None
    assert "reward" not in run.columns
