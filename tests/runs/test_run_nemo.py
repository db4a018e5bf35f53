"""NeMo-RL's files: their step by their rewards, their groups by their prompts."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run

FIXTURE = Path(__file__).parent / "fixtures" / "nemo_rl"
CONFIG = {"grpo": {"num_generations_per_prompt": 3, "use_leave_one_out_baseline": True, "normalize_rewards": False}}


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def config(tmp_path: Path) -> str:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(CONFIG))
    return str(path)


def test_prompts_are_told_apart_by_their_tokens_and_sums_are_over_those_trained_on() -> None:
    run = open_run(str(FIXTURE / "exp_001"))
    assert run.header.adapter == "nemo_rl"
    assert run.counts == {"rows": 24, "steps": 4, "groups": 8, "first": 1, "last": 4}
    first = run.sql("SELECT tokens, logp, logp_old, trained FROM rollouts ORDER BY row LIMIT 3")
    assert first == [(1, -0.25, -0.25, True), (1, -0.5, -0.5, True), (1, -0.75, -0.75, True)]
    sums = 'SELECT max(abs(s)) FROM (SELECT sum(advantage) AS s FROM rollouts GROUP BY "group")'
    assert run.sql(sums) == [(0.0,)]
    leave_one_out = 'advantage - 1.5 * (reward - avg(reward) OVER (PARTITION BY "group"))'
    assert run.sql(f"SELECT max(abs(d)) FROM (SELECT {leave_one_out} AS d FROM rollouts)")[0][0] < 1e-7


def test_the_configuration_says_the_rule(config: str) -> None:
    settings = open_run(str(FIXTURE / "exp_001"), config=config).header.settings
    assert (settings.algorithm, settings.scale, settings.group_size) == ("rloo", "none", 3)


def test_files_numbered_one_step_early_are_moved_by_their_rewards(config: str) -> None:
    run = open_run(str(FIXTURE / "exp_000"), config=config)
    assert (run.counts["first"], run.counts["last"], run.counts["groups"]) == (308, 311, 8)
    assert [one.code for one in run.header.findings] == ["step-off-by-one"]
    means = dict(run.sql("SELECT step, avg(reward) FROM rollouts GROUP BY step"))
    assert {step: values["reward"] for step, values in run.series("reward").items()} == pytest.approx(means)


def test_without_tokens_or_a_configuration_groups_are_not_guessed() -> None:
    with pytest.raises(UsageError, match=r"train_data_step307\.jsonl:1: nothing says which rollouts share a prompt"):
        open_run(str(FIXTURE / "exp_000"))


@pytest.mark.parametrize(
    ("logged", "why"),
    [({308: 0.1, 309: 0.2}, "no shift of the steps fits"), ({307: 0.5, 308: 0.5, 309: 0.5}, "more than one shift")],
)
def test_numbers_that_match_no_shift_or_several_are_left_out(
    tmp_path: Path, config: str, logged: dict[int, float], why: str
) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    for step in (307, 308):
        rows = [{"content": ["a"], "rewards": [value], "idx": at} for at, value in enumerate([1.0, 0.0, 0.5])]
        (folder / f"train_data_step{step}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    metrics = [{"_step": step, "train/reward": value} for step, value in logged.items()]
    (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in metrics))
    run = open_run(str(folder), config=config)
    assert run.series() == {}
    assert why in run.header.gaps["series"].detail
    assert (run.counts["first"], run.counts["last"]) == (307, 308)


def test_the_case_of_a_step_off_by_one(shared: Path, tmp_path: Path, config: str) -> None:
    """NVIDIA-NeMo/RL#1447: files 307 and 308 hold what was logged at 308 and 309."""
    cases = {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}
    case = cases["step_off_by_one_jsonl"]
    folder = tmp_path / "run"
    folder.mkdir()
    for name, source in zip(case["input"]["files"], (308, 309), strict=True):
        shutil.copy(FIXTURE / "exp_000" / f"train_data_step{source}.jsonl", folder / name)
    rows = [json.loads(line) for line in (FIXTURE / "exp_000/metrics.jsonl").read_text().splitlines()][1:3]
    logged = [{**row, "_step": step} for row, step in zip(rows, case["input"]["metrics_step"], strict=True)]
    (folder / "metrics.jsonl").write_text("".join(json.dumps(row) + "\n" for row in logged))
    run = open_run(str(folder), config=config)
    assert run.counts["first"] - 307 == case["right"]["offset"]
    assert [one.code for one in run.header.findings] == ["step-off-by-one"]


def test_a_list_of_more_than_one_is_no_rollout(tmp_path: Path, config: str) -> None:
    path = tmp_path / "train_data_step1.jsonl"
    path.write_text(json.dumps({"content": ["a"], "rewards": [1.0, 0.0]}) + "\n")
    with pytest.raises(UsageError, match=r"train_data_step1\.jsonl:1: rewards is a list of 2"):
        open_run(str(path), config=config)


def test_the_case_of_an_extra_score(shared: Path, tmp_path: Path) -> None:
    """NVIDIA-NeMo/RL#3635: one sample that couldn't be read gave two scores, and every later score moved by one."""
    cases = {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}
    given = cases["extra_row_on_parse_failure"]["input"]
    path, mapping = tmp_path / "scores.jsonl", tmp_path / "map.toml"
    samples = [f"sample {at}" for at in range(given["rows_expected"])]
    path.write_text(json.dumps({"step": 1, "samples": samples, "scores": given["scores"]}) + "\n")
    columns = 'step = "step"\ngroup = "samples"\nreward = "scores"\n'
    mapping.write_text('each = ["samples", "scores"]\n[columns]\n' + columns)
    with pytest.raises(UsageError, match=r"scores\.jsonl:1: lists of unequal length \(samples 4, scores 5\)"):
        open_run(str(path), map=str(mapping))
