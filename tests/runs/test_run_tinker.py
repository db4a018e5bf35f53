"""Tinker cookbook's rollout summaries, as its own serializer wrote them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.selection.rules import Rule, Scored, frame

FIXTURE = Path(__file__).parent / "fixtures/tinker"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def put(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def codes(run: Record) -> list[str]:
    return [one.code for one in run.header.findings]


def test_leaves_add_to_the_total_and_centre_by_group(shared: Path) -> None:
    run = open_run(str(shared / "data/runs/tinker_style"))
    assert run.header.adapter == "tinker"
    assert run.sql('SELECT max(abs("score.steps" + "score.final" - reward)) FROM rollouts')[0][0] < 1e-12
    rule = Rule("none")
    found = run.sql(f"SELECT {rule.advantage()} FROM ({frame([rule], [Scored('reward', {})])}) ORDER BY row")
    oracle = json.loads((shared / "data/runs/tinker_style/oracle_advantages.json").read_text())
    assert [one for (one,) in found] == pytest.approx([one for some in oracle for one in some], abs=1e-7)


def test_trajectories_of_several_steps() -> None:
    run = open_run(str(FIXTURE))
    assert run.counts["groups"] == 4
    columns = '"score.steps", "score.final", reward, tokens, "extra.turns", "extra.valid", "extra.correct"'
    rows = run.sql(f"SELECT {columns}, sampled_at FROM rollouts WHERE step = 1 ORDER BY row")
    assert rows[1] == (0.375, 0.0, 0.375, 5, 2.0, 0.5, 0.0, 1)
    assert rows[2] == (0.25, 1.0, 1.25, 2, 1.0, 1.0, 1.0, 1)
    assert rows[3][-1] == 0


def test_the_configuration_beside_it_and_the_rule_are_its_settings() -> None:
    said = open_run(str(FIXTURE)).header.settings
    assert (said.algorithm, said.scale, said.weights) == ("dr_grpo", "none", {"steps": 1.0, "final": 1.0})
    assert (said.learning_rate, said.beta, said.loss, said.steps) == (1e-4, 0.0, "importance_sampling", 2)


def test_other_splits_are_left_out_and_told() -> None:
    run = open_run(str(FIXTURE))
    (told,) = run.header.findings
    assert (told.code, told.rows, run.counts["rows"]) == ("splits-left-out", 2, 10)
    assert "eval/sums" in told.detail


def test_metrics_are_series_also_from_an_iterations_folder() -> None:
    run = open_run(str(FIXTURE / "iteration_000001"))
    assert run.counts["rows"] == 5
    assert run.series("env/all/reward/total") == {
        0: {"env/all/reward/total": 0.5},
        1: {"env/all/reward/total": 0.625},
    }


def test_groups_of_one_reward_that_were_removed_are_told(tmp_path: Path) -> None:
    for one in ("iteration_000000/train_rollout_summaries.jsonl", "config.json"):
        (tmp_path / one).parent.mkdir(exist_ok=True)
        (tmp_path / one).write_bytes((FIXTURE / one).read_bytes())
    held = json.loads((tmp_path / "config.json").read_text()) | {"remove_constant_reward_groups": True}
    (tmp_path / "config.json").write_text(json.dumps(held))
    run = open_run(str(tmp_path))
    assert codes(run) == ["dropped-groups"]
    assert set(run.header.gaps) == {"advantage", "prompt", "texts", "logp_old", "grams", "series"}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"steps": 3}, "Expected `array`"),
        ({"total_reward": "1.0"}, "got `str`.*total_reward"),
        ({"group_idx": None}, "got `null`.*group_idx"),
    ],
)
def test_a_row_of_another_shape_names_file_line_and_field(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    name = "iteration_000000/train_rollout_summaries.jsonl"
    rows = [json.loads(one) for one in (FIXTURE / name).read_text().splitlines()]
    put(tmp_path / name, rows[0], rows[1] | change)
    with pytest.raises(UsageError, match=rf"train_rollout_summaries\.jsonl:2: no rollout summary: .*{said}"):
        open_run(str(tmp_path))
