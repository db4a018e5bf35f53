"""verl's dumps and file logger, on files that its own writers made: groups, columns it drops, numbers it writes as
text, totals it overwrites."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.reading import Declined
from lens.runs.formats.verl import settings
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.review import Review, lacking
from lens.runs.selection.replay import replay
from lens.runs.selection.rules import Rule, Scored, frame

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def put(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def row(at: int, **more: Any) -> dict[str, Any]:
    return {"input": "p", "output": f"o{at}", "gts": None, "score": float(at % 2), "step": 1} | more


def codes(run: Record) -> list[str]:
    return [one.code for one in run.header.findings]


def test_dumps_give_verls_own_advantages(shared: Path) -> None:
    run = open_run(str(shared / "data/runs/verl_style"))
    assert run.header.adapter == "verl"
    assert (run.counts["rows"], run.counts["groups"], run.header.leaves) == (96, 24, ("acc", "format"))
    text = (shared / "data/runs/verl_style/oracle_advantages.jsonl").read_text()
    oracle = [json.loads(one) for one in text.splitlines()]
    for name, rule in (("grpo", Rule("group", epsilon=1e-6)), ("rloo", Rule("rloo")), ("dr_grpo", Rule("none"))):
        found = run.sql(f"SELECT {rule.advantage()} FROM ({frame([rule], [Scored('reward', {})])}) ORDER BY row")
        assert [one for (one,) in found] == pytest.approx([one[name] for one in oracle], abs=2e-6)
    assert "lens.runs.tap" in run.header.gaps["advantage"].remedy
    assert isinstance(replay(Review(run=run)), Declined)


def test_the_classic_writers_files_are_grouped_by_prompt_whatever_their_order() -> None:
    run = open_run(str(FIXTURES / "verl/classic"))
    assert [one[0] for one in run.sql("SELECT DISTINCT step FROM rollouts ORDER BY step")] == [1, 2, 10]
    sizes = run.sql('SELECT count(*), count(DISTINCT prompt) FROM rollouts GROUP BY step, "group"')
    assert sizes == [(4, 1)] * 9
    assert {"order", "numbers-as-text", "dropped-column", "column-left-out"} == set(codes(run))


def test_numpys_numbers_in_a_column_of_numbers_are_read_and_told() -> None:
    run = open_run(str(FIXTURES / "verl/classic"))
    (told,) = [one for one in run.header.findings if one.code == "numbers-as-text"]
    assert (told.file, told.line, told.rows) == ("1.jsonl", 1, 33)
    assert run.sql('SELECT count("score.acc"), count(*), min("score.acc"), max("score.acc") FROM rollouts') == [
        (33, 36, 0.0, 1.0)
    ]
    assert run.sql('SELECT max(abs(reward - coalesce("score.acc", 0) - "score.format" / 2)) FROM rollouts') == [(0.0,)]


def test_text_that_looks_like_numbers_is_no_leaf_where_no_row_holds_a_number() -> None:
    run = open_run(str(FIXTURES / "verl/classic"))
    assert run.header.leaves == ("acc", "format", "length_ok")
    (left,) = [one for one in run.header.findings if one.code == "column-left-out"]
    assert (left.detail, left.file, left.line) == ("pred is no number", "1.jsonl", 1)


def test_a_column_that_the_dumper_left_out_is_absent_and_declines(shared: Path) -> None:
    run = open_run(str(FIXTURES / "verl/classic"))
    assert run.header.absent == {"score.format": 12}
    declined = lacking(run, "score.format")
    assert declined is not None
    assert "12 of 36 rollouts" in declined.detail
    (told,) = [one for one in run.header.findings if one.code == "dropped-column"]
    assert told.file == "2.jsonl"
    cases = {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}
    assert cases["reward_extra_mixed_sources"]["right"]["remedy"] in told.detail


def test_v1_groups_by_uid_where_two_prompts_are_one_text() -> None:
    run = open_run(str(FIXTURES / "verl/v1"))
    assert run.counts["groups"] == 6
    assert run.sql('SELECT count(*), count(DISTINCT prompt) FROM rollouts GROUP BY "group"') == [(2, 1)] * 6
    assert run.sql("SELECT count(DISTINCT prompt) FROM rollouts WHERE step = 1") == [(2,)]
    assert run.header.leaves == ("score",)
    assert "order" not in codes(run)
    (told,) = [one for one in run.header.findings if one.code == "total-alone"]
    assert "trainer.use_v1=False" in told.detail


def test_v1_outputs_before_a_rollouts_last_enter_no_mean(tmp_path: Path) -> None:
    run = open_run(str(FIXTURES / "verl/v1"))
    (told,) = [one for one in run.header.findings if one.code == "outputs-left-out"]
    assert (told.rows, run.counts["rows"]) == (2, 12)
    config = tmp_path / "config.json"
    config.write_text('{"algorithm": {"adv_estimator": "reinforce_plus_plus"}}')
    assert open_run(str(FIXTURES / "verl/v1"), config=str(config)).counts["rows"] == 14


def test_a_uid_among_the_reward_functions_extras_is_a_group_as_it_is(tmp_path: Path) -> None:
    rows = [row(at, uid=f"math_{at // 3}_0", input=f"p{at}") for at in range(6)]
    run = open_run(str(put(tmp_path / "1.jsonl", *rows)))
    assert run.sql('SELECT count(*) FROM rollouts GROUP BY "group"') == [(3,), (3,)]


def test_prompts_that_come_unequally_often_are_no_groups(tmp_path: Path) -> None:
    put(tmp_path / "1.jsonl", row(0), row(1), row(2, input="q"))
    run = open_run(str(tmp_path))
    declined = lacking(run, "rollouts")
    assert declined is not None
    assert "which rollouts share a group can't be known" in declined.detail
    assert "trainer.use_v1=True" in declined.remedy


def test_prompts_are_groups_only_of_the_size_that_the_configuration_says(tmp_path: Path) -> None:
    put(tmp_path / "1.jsonl", row(0), row(1), row(2), row(3))
    config = tmp_path / "config.yaml"
    config.write_text("actor_rollout_ref: {rollout: {n: 2}}\nalgorithm: {adv_estimator: grpo}\n")
    assert lacking(open_run(str(tmp_path)), "rollouts") is None
    assert lacking(open_run(str(tmp_path), config=str(config)), "rollouts") is not None


PENALISED = [row(0, score=1.0, acc=1.0, overlong_reward=-0.25), row(1, acc=1.0, overlong_reward=0.0)]


def test_a_score_that_hides_the_penalty_is_no_total(tmp_path: Path) -> None:
    put(tmp_path / "1.jsonl", *PENALISED)
    run = open_run(str(tmp_path))
    declined = lacking(run, "reward")
    assert declined is not None
    assert "before overlong_reward" in declined.detail
    assert run.header.leaves == ("acc", "overlong_reward", "score")
    config = tmp_path / "config.json"
    config.write_text('{"reward": {"reward_kwargs": {"overlong_buffer_cfg": {"enable": true}}}}')
    run = open_run(str(tmp_path), config=str(config))
    assert run.sql("SELECT reward FROM rollouts") == [(0.75,), (1.0,)]
    assert codes(run)[-2:] == ["overwritten-column", "order"]


def test_a_score_with_the_penalty_in_it_is_the_total(tmp_path: Path) -> None:
    run = open_run(str(put(tmp_path / "1.jsonl", PENALISED[0] | {"score": 0.75}, PENALISED[1])))
    assert run.sql("SELECT reward FROM rollouts") == [(0.75,), (1.0,)]
    assert codes(run) == ["order"]


@pytest.mark.parametrize("name", ["validation", "validation_twice"])
def test_case_reward_duplicated_in_validation(shared: Path, name: str) -> None:
    cases = {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}
    right = cases["reward_duplicated_in_validation"]["right"]["mean"]
    run = open_run(str(FIXTURES / "verl" / name))
    assert run.sql("SELECT avg(reward), count(*) FROM rollouts") == [(right, 4)]
    assert "validation" in codes(run)
    assert run.header.leaves == ("score",)
    left = [one.detail for one in run.header.findings if one.code == "column-left-out"]
    assert left == (["reward is the score again"] if name == "validation" else [])


def test_validation_beside_training_is_left_out(tmp_path: Path) -> None:
    put(tmp_path / "rollout/1.jsonl", row(0), row(1))
    put(tmp_path / "validation_data/1.jsonl", row(0), row(1), row(2))
    assert open_run(str(tmp_path)).counts["rows"] == 2


def test_case_columns_of_another_length_are_never_zipped(tmp_path: Path, shared: Path) -> None:
    from lens.runs.writer import Writer

    cases = {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}
    mixed = cases["reward_extra_mixed_sources"]["input"]
    columns = {"step": 1, "group": 0, "reward": mixed["score"], "score.acc": mixed["extra"]["acc"]}
    with pytest.raises(UsageError, match=r"reward 5, score\.acc 3"):
        Writer(tmp_path, tmp_path).rollouts(tmp_path / "x", columns)
    extra = cases["extra_row_on_parse_failure"]["input"]
    groups = [at // extra["num_generations"] for at in range(extra["rows_expected"])]
    with pytest.raises(UsageError, match="group 4, reward 5"):
        Writer(tmp_path, tmp_path).rollouts(tmp_path / "x", {"step": 1, "group": groups, "reward": extra["scores"]})


@pytest.mark.parametrize("score", [{"a": 1}, "high", [0.5]])
def test_a_score_that_is_no_number_is_an_error_at_its_line(tmp_path: Path, score: Any) -> None:
    put(tmp_path / "1.jsonl", row(0), row(1, score=score))
    with pytest.raises(UsageError, match=r"1\.jsonl:2: score is "):
        open_run(str(tmp_path))


def test_a_leaf_with_other_text_in_it_is_left_out_whole(tmp_path: Path) -> None:
    run = open_run(str(put(tmp_path / "1.jsonl", row(0, part=0.5), row(1, part="n/a"), row(2, part=None))))
    assert run.header.leaves == ("score",)
    told = run.header.findings[0]
    assert (told.code, told.detail, told.line) == ("column-left-out", "part is no number", 2)


def test_a_cut_last_line_is_told_once(tmp_path: Path) -> None:
    path = put(tmp_path / "1.jsonl", row(0), row(1), row(2))
    path.write_text(path.read_text()[:-20])
    run = open_run(str(tmp_path))
    assert run.counts["rows"] == 2
    assert codes(run).count("torn-line") == 1


def test_settings_in_its_words(tmp_path: Path) -> None:
    held: dict[str, Any] = {"algorithm": {"adv_estimator": "grpo", "norm_adv_by_std_in_grpo": False}}
    held["actor_rollout_ref"] = {
        "actor": {"use_kl_loss": False, "clip_ratio": 0.2, "grad_clip": 1.0, "optim": {"lr": "1e-6"}},
        "rollout": {"n": 5},
    }
    said = settings(held)
    assert (said.algorithm, said.scale, said.beta, said.group_size) == ("dr_grpo", "none", 0.0, 5)
    assert (said.clip_low, said.max_grad_norm, said.epsilon, said.learning_rate) == (0.2, 1.0, 1e-6, 1e-6)
    held["algorithm"] = {
        "adv_estimator": "gdpo",
        "gdpo_reward_keys": ["acc", "format"],
        "gdpo_reward_weights": [1, 0.5],
    }
    assert settings(held).weights == {"acc": 1.0, "format": 0.5}
    config = tmp_path / "config.json"
    config.write_text('{"algorithm": {"use_kl_in_reward": true}}')
    assert "kl-in-reward" in codes(open_run(str(FIXTURES / "verl/v1"), config=str(config)))


def test_the_file_logger_is_series_alone() -> None:
    run = open_run(str(FIXTURES / "verl_log"))
    assert run.header.adapter == "verl-log"
    assert run.series("critic/score/mean") == {at: {"critic/score/mean": at / 8} for at in (1, 2, 3)}
    assert run.series("actor/entropy") == {1: {"actor/entropy": 1.25}, 3: {"actor/entropy": 1.25}}
    assert codes(run) == ["not-finite"]
    assert "trainer.rollout_data_dir" in run.header.gaps["rollouts"].remedy


def test_the_file_loggers_repeated_step_is_told(tmp_path: Path) -> None:
    lines = [{"step": at, "data": {"critic/score/mean": value}} for at, value in ((1, 0.1), (2, 0.2), (2, 0.3))]
    run = open_run(str(put(tmp_path / "project/exp.jsonl", *lines)))
    assert codes(run) == ["duplicate-step"]
    assert run.series("critic/score/mean")[2] == {"critic/score/mean": 0.3}
