"""verl, Tinker cookbook, open-instruct, AReaL, prime-rl: what each file says, what it leaves out, and its traps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.reading import Declined
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.replay import replay
from lens.runs.review import Review, lacking
from lens.runs.rules import Rule, Scored, frame
from lens.runs.verl import settings


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def put(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def codes(run: Record) -> list[str]:
    return [one.code for one in run.header.findings]


def test_verl_dumps_give_verls_own_advantages(shared: Path) -> None:
    run = open_run(str(shared / "data/runs/verl_style"))
    assert run.header.adapter == "verl"
    assert (run.counts["rows"], run.counts["groups"], run.header.leaves) == (96, 24, ("acc", "format"))
    oracle = [
        json.loads(one) for one in (shared / "data/runs/verl_style/oracle_advantages.jsonl").read_text().splitlines()
    ]
    for name, rule in (("grpo", Rule("group", epsilon=1e-6)), ("rloo", Rule("rloo")), ("dr_grpo", Rule("none"))):
        found = run.sql(f"SELECT {rule.advantage()} FROM ({frame([rule], [Scored('reward', {})])}) ORDER BY row")
        assert [one for (one,) in found] == pytest.approx([one[name] for one in oracle], abs=2e-6)
    assert "lens.runs.tap" in run.header.gaps["advantage"].remedy
    assert isinstance(replay(Review(run=run)), Declined)


def row(at: int, **more: Any) -> dict[str, Any]:
    return {"input": "p", "output": f"o{at}", "gts": None, "score": float(at % 2), "step": 1} | more


def test_verl_prompts_that_come_unequally_often_are_no_groups(tmp_path: Path) -> None:
    put(tmp_path / "1.jsonl", row(0), row(1), row(2, input="q"))
    run = open_run(str(tmp_path))
    declined = lacking(run, "rollouts")
    assert declined is not None
    assert "which rollouts share a group can't be known" in declined.detail
    assert "v1 trainer" in declined.remedy


def test_verl_prompts_are_groups_only_of_the_size_that_the_configuration_says(tmp_path: Path) -> None:
    put(tmp_path / "1.jsonl", row(0), row(1), row(2), row(3))
    config = tmp_path / "config.yaml"
    config.write_text("actor_rollout_ref: {rollout: {n: 2}}\nalgorithm: {adv_estimator: grpo}\n")
    assert lacking(open_run(str(tmp_path)), "rollouts") is None
    assert lacking(open_run(str(tmp_path), config=str(config)), "rollouts") is not None


def test_verl_v1_groups_by_uid(tmp_path: Path) -> None:
    rows = [row(at, uid=f"s_{at // 2}_{at % 2}_0", input="same") for at in range(4)]
    run = open_run(str(put(tmp_path / "7.jsonl", *rows)))
    assert run.counts["groups"] == 2


def test_verl_numbers_that_numpy_made_text(tmp_path: Path) -> None:
    rows = [row(at, score=str(at / 2), acc="True", pred="42") for at in range(4)]
    run = open_run(str(put(tmp_path / "1.jsonl", *rows)))
    assert run.header.leaves == ("acc",)
    assert run.sql('SELECT reward, "score.acc" FROM rollouts') == [(0.0, 1.0), (0.5, 1.0), (1.0, 1.0), (1.5, 1.0)]
    assert codes(run) == ["numbers-as-text", "numbers-as-text", "column-left-out", "order"]


def test_verl_a_metric_missing_from_one_step_is_absent_there(tmp_path: Path) -> None:
    put(tmp_path / "1.jsonl", row(0, acc=1.0), row(1, acc=0.0))
    put(tmp_path / "2.jsonl", row(0, step=2), row(1, step=2))
    assert open_run(str(tmp_path)).header.absent == {"score.acc": 2}


def test_verl_validation_is_not_training(tmp_path: Path) -> None:
    put(tmp_path / "rollout/1.jsonl", row(0), row(1))
    put(tmp_path / "validation/1.jsonl", row(0), row(1), row(2))
    assert open_run(str(tmp_path)).counts["rows"] == 2


def test_verl_settings_in_its_words() -> None:
    held = {"algorithm": {"adv_estimator": "grpo", "norm_adv_by_std_in_grpo": False}}
    held["actor_rollout_ref"] = {
        "actor": {"use_kl_loss": False, "clip_ratio": 0.2, "grad_clip": 1.0},
        "rollout": {"n": 5},
    }
    said = settings(held)
    assert (said.algorithm, said.scale, said.beta, said.group_size) == ("dr_grpo", "none", 0.0, 5)
    assert (said.clip_low, said.max_grad_norm, said.epsilon) == (0.2, 1.0, 1e-6)


def test_verl_file_logger_is_series_alone(tmp_path: Path) -> None:
    lines = [{"step": at, "data": {"critic/score/mean": at / 10, "actor/grad_norm": 0.5}} for at in (1, 2, 2)]
    run = open_run(str(put(tmp_path / "project/exp.jsonl", *lines)))
    assert run.series("critic/score/mean") == {1: {"critic/score/mean": 0.1}, 2: {"critic/score/mean": 0.2}}
    assert "rollout_data_dir" in run.header.gaps["rollouts"].remedy
    assert codes(run) == ["duplicate-step"]


def test_tinker_leaves_add_to_the_total_and_centre_by_group(shared: Path) -> None:
    run = open_run(str(shared / "data/runs/tinker_style"))
    assert run.header.adapter == "tinker"
    assert run.sql('SELECT max(abs("score.steps" + "score.final" - reward)) FROM rollouts')[0][0] < 1e-12
    rule = Rule("none")
    found = run.sql(f"SELECT {rule.advantage()} FROM ({frame([rule], [Scored('reward', {})])}) ORDER BY row")
    oracle = json.loads((shared / "data/runs/tinker_style/oracle_advantages.json").read_text())
    assert [one for (one,) in found] == pytest.approx([one for some in oracle for one in some], abs=1e-7)


def test_tinker_other_splits_are_left_out(tmp_path: Path) -> None:
    steps = [{"reward": 0.5, "ac_len": 4, "metrics": {}}]
    base = {"iteration": 3, "group_idx": 0, "total_reward": 1.5, "final_reward": 1.0, "steps": steps}
    rows = [base | {"split": "train"}, base | {"split": "train"}, base | {"split": "test"}]
    put(tmp_path / "iteration_000003/train_rollout_summaries.jsonl", *rows)
    run = open_run(str(tmp_path))
    assert (run.counts["rows"], run.counts["first"]) == (2, 3)
    assert codes(run) == ["splits-left-out"]
    assert run.sql("SELECT DISTINCT tokens FROM rollouts") == [(4,)]


def test_open_instruct_sums_log_probabilities_and_declines_lists_that_lost_some(tmp_path: Path) -> None:
    base = {"step": 1, "prompt_tokens": [1, 2], "response_tokens": [3, 4], "reward": 1.0, "advantage": 0.5}
    rows = [
        base | {"prompt_idx": 0, "logprobs": [-1.0, -0.5], "finish_reason": "stop"},
        base | {"prompt_idx": 0, "logprobs": [-1.0], "finish_reason": "length", "advantage": -0.5},
    ]
    run = open_run(str(put(tmp_path / "x_rollouts_000000.jsonl", *rows)))
    assert run.header.adapter == "open-instruct"
    assert run.sql("SELECT logp_old, truncated, tokens FROM rollouts") == [(-1.5, False, 2), (None, True, 2)]
    assert run.counts["groups"] == 1


def test_areal_groups_that_lost_an_empty_completion_are_short(tmp_path: Path) -> None:
    base = {"seqlen": 9, "prompt_len": 4, "head_version": 2, "tail_version": 3, "reward": 1.0, "prompt": "p"}
    for task, count in (("a", 3), ("b", 2)):
        rows = [base | {"task_id": task, "sample_idx": at, "completion": f"c{at}"} for at in range(count)]
        put(tmp_path / f"rollout/3/{task}.jsonl", *rows)
    run = open_run(str(tmp_path))
    assert run.header.adapter == "areal"
    assert run.sql("SELECT DISTINCT step, tokens, sampled_at FROM rollouts") == [(3, 5, 2)]
    (short,) = run.header.findings
    assert (short.code, short.rows) == ("short-groups", 1)


def episode(group: str, scores: list[float | None], *, advantage: list[float] | None = None) -> dict[str, Any]:
    traces = []
    for at, score in enumerate(scores):
        given = advantage if advantage is not None else [0.25, 0.25]
        node = {
            "sampled": True,
            "token_ids": [at, 9],
            "mask": [True, True],
            "logprobs": [-0.5, -0.25],
            "advantages": given,
        }
        rewards = {"right": None if score is None else {"score": score, "weight": 0.5}}
        traces.append(
            {"id": at, "rewards": rewards, "nodes": [{"sampled": False, "token_ids": [7]}, node], "errors": []}
        )
    work = {"step": 4, "policy": {"start": 2, "end": 3}}
    return {"group": {"id": group}, "run": {"work": work}, "traces": traces}


def test_prime_rl_weights_log_probabilities_staleness_and_what_was_trained(tmp_path: Path) -> None:
    both = [episode("g", [1.0, None]), episode("h", [0.0, 1.0])]
    put(tmp_path / "rollouts/step_4/train/all/traces.jsonl", *both)
    put(tmp_path / "rollouts/step_4/train/effective/traces.jsonl", both[1])
    put(tmp_path / "metrics.jsonl", {"step": 4, "reward": 0.5})
    run = open_run(str(tmp_path))
    assert run.header.adapter == "prime-rl"
    assert run.header.settings.weights == {"right": 0.5}
    assert run.header.settings.rounded == 5e-5
    rows = run.sql('SELECT reward, "score.right", logp_old, advantage, sampled_at, trained FROM rollouts')
    assert rows == [
        (0.5, 1.0, -0.75, 0.25, 2, False),
        (None, None, -0.75, 0.25, 2, False),
        (0.0, 0.0, -0.75, 0.25, 2, True),
        (0.5, 1.0, -0.75, 0.25, 2, True),
    ]
    assert run.series() == {4: {"reward": 0.5}}


def test_prime_rl_lists_that_lost_a_number_are_not_aligned_by_guess(tmp_path: Path) -> None:
    put(tmp_path / "rollouts/step_4/train/all/traces.jsonl", episode("g", [1.0, 0.0], advantage=[0.25]))
    run = open_run(str(tmp_path))
    assert codes(run) == ["shifted-lists"]
    assert "advantage" not in run.columns


@pytest.mark.parametrize(
    ("name", "named", "rows"),
    [
        ("1.jsonl", False, [row(0), {"input": "p", "output": "o", "score": {"a": 1}, "step": 1}]),
        (
            "iteration_0/a_rollout_summaries.jsonl",
            True,
            [{"iteration": 0, "group_idx": 0, "total_reward": 1, "steps": 3}],
        ),
        ("rollouts/step_1/train/all/traces.jsonl", True, [{"traces": 3}]),
    ],
)
def test_rows_of_another_shape_name_file_and_line_or_leave_the_column_out(
    tmp_path: Path, name: str, named: bool, rows: Any
) -> None:
    put(tmp_path / name, *rows)
    if not named:
        assert codes(open_run(str(tmp_path)))[0] == "column-left-out"
    else:
        with pytest.raises(UsageError, match=name.rpartition("/")[2]):
            open_run(str(tmp_path))


def test_case_reward_duplicated_in_validation_and_extra_rows(tmp_path: Path, shared: Path) -> None:
    """Columns of another length than the samples are refused where they are handed in: nothing is zipped by place."""
    from lens.runs.writer import Writer

    cases = {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}
    for id_, column in (
        ("reward_duplicated_in_validation", "list_as_logged"),
        ("extra_row_on_parse_failure", "scores"),
    ):
        given = cases[id_]["input"]
        samples = given.get("n_samples") or given["rows_expected"]
        with pytest.raises(UsageError, match="unequal length"):
            Writer(tmp_path, tmp_path).rollouts(
                tmp_path / "x", {"step": [1] * samples, "group": [0] * samples, "reward": given[column]}
            )
    mixed = cases["reward_extra_mixed_sources"]["input"]
    columns = {"step": 1, "group": 0, "reward": mixed["score"], "score.acc": mixed["extra"]["acc"]}
    with pytest.raises(UsageError, match=r"reward 5, score\.acc 3"):
        Writer(tmp_path, tmp_path).rollouts(tmp_path / "x", columns)
