"""prime-rl's episodes and token exports, and verifiers' evaluations, on records that verifiers' own models wrote."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.reading import Declined, Measured, Quantity, Result
from lens.runs.instruments.advantages import advantages
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.review import Review, lacking
from lens.runs.selection.replay import replay

FIXTURES = Path(__file__).parent / "fixtures"
ALL, EFFECTIVE = "rollouts/step_{}/train/all/traces.jsonl", "rollouts/step_{}/train/effective/traces.jsonl"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def put(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def episodes(name: str) -> list[dict[str, Any]]:
    return [json.loads(one) for one in (FIXTURES / "prime_rl" / name).read_text().splitlines()]


def copied(to: Path, change: Callable[[dict[str, Any]], Any]) -> Path:
    """The fixture with every episode changed."""
    for source in (FIXTURES / "prime_rl").rglob("traces.jsonl"):
        rows = [json.loads(one) for one in source.read_text().splitlines()]
        for row in rows:
            change(row)
        put(to / source.relative_to(FIXTURES / "prime_rl"), *rows)
    return to


def codes(run: Record) -> list[str]:
    return [one.code for one in run.header.findings]


def test_a_rollout_is_of_the_step_that_trained_it_and_stands_once() -> None:
    run = open_run(str(FIXTURES / "prime_rl"))
    assert run.header.adapter == "prime-rl"
    told = run.sql(
        'SELECT step, trained, count(*), count(DISTINCT "group") FROM rollouts GROUP BY ALL ORDER BY step, trained'
    )
    assert told == [(1, True, 2, 1), (2, False, 1, 1), (2, True, 4, 2)]
    assert run.counts["groups"] == 3
    assert (run.header.trained, run.counts["rows"]) == (6, 7)


def test_advantages_are_the_reward_less_the_groups_mean_to_four_decimals() -> None:
    run = open_run(str(FIXTURES / "prime_rl"))
    apart = run.sql(
        "SELECT max(abs(advantage - (reward - mean))) FROM (SELECT advantage, reward, "
        'avg(reward) OVER (PARTITION BY "group") AS mean FROM rollouts WHERE trained)'
    )
    assert 0 < apart[0][0] <= run.header.settings.rounded == 5e-5
    assert run.header.settings.weights == {"right": 1.0, "short": 0.5}


def test_replay_keeps_the_rule_within_what_was_rounded_away() -> None:
    found = replay(Review(run=open_run(str(FIXTURES / "prime_rl"))))
    assert not isinstance(found, Declined)
    assert {one.rule.family for one in found.tried if one.accepted} == {"none"}
    assert found.tried[0].residual <= 5e-5


def test_what_was_not_trained_on_has_no_advantage_and_voids_nothing() -> None:
    found = advantages(Review(run=open_run(str(FIXTURES / "prime_rl"))))
    assert isinstance(found, Result)
    assert isinstance(found.reading, Measured)
    assert found.reading.fields["high"] == Quantity(0.5208, "advantage", "score", n=6)


def test_a_reward_never_scored_is_null_and_its_total_is_of_the_rest() -> None:
    run = open_run(str(FIXTURES / "prime_rl"))
    assert run.sql('SELECT reward, "score.right" FROM rollouts WHERE "score.short" IS NULL ORDER BY row') == [
        (0.0, 0.0),
        (None, None),
    ]
    assert "score.short" not in run.header.absent
    assert run.sql("SELECT failed, trained, advantage FROM rollouts WHERE reward IS NULL") == [(True, False, None)]


def test_log_probabilities_tokens_staleness_and_text_are_of_the_sampled_tokens() -> None:
    run = open_run(str(FIXTURES / "prime_rl"))
    rows = run.sql(
        "SELECT logp_old, tokens, sampled_at, truncated FROM rollouts WHERE step = 2 AND trained ORDER BY row"
    )
    assert rows[1] == (pytest.approx(-0.2469 - 0.3704 - 0.2469 - 0.3704 - 0.4938), 5, 0, True)
    assert rows[0] == (pytest.approx(-0.1235 - 0.2469), 2, 0, False)
    assert rows[2][2] == 1
    texts = run.sql("SELECT t.prompt, t.completion FROM texts t JOIN rollouts r USING (row) WHERE tokens = 5")
    assert texts == [("What is 4 + 4?", "assistant: It is 1.\nuser: Are you sure?\nassistant: It is 2.")]


def test_evaluations_are_no_rollouts_and_rows_by_the_clock_no_steps() -> None:
    run = open_run(str(FIXTURES / "prime_rl"))
    assert run.sql("SELECT count(*) FROM texts WHERE prompt LIKE '%9 + 9%'") == [(0,)]
    assert run.series() == {
        1: {"reward/all/mean": 0.5, "optim/grad_norm": 0.25},
        2: {"reward/all/mean": 0.625},
    }


@pytest.mark.parametrize("how", ["short", "null"])
def test_lists_that_lost_a_number_are_not_aligned_by_guess(tmp_path: Path, how: str) -> None:
    def lose(row: dict[str, Any]) -> None:
        for node in row["traces"][0]["nodes"]:
            if node.get("advantages"):
                node["advantages"] = node["advantages"][1:] if how == "short" else [None, *node["advantages"][1:]]

    run = open_run(str(copied(tmp_path, lose)))
    (told,) = [one for one in run.header.findings if one.code == "shifted-lists"]
    assert told.rows == 6
    declined = lacking(run, "advantage")
    assert declined is not None
    assert "6 of 7 rollouts" in declined.detail
    assert run.sql("SELECT count(logp_old) FROM rollouts") == [(7,)]


def test_credit_by_token_is_no_advantage_of_a_rollout(tmp_path: Path) -> None:
    def credit(row: dict[str, Any]) -> None:
        for node in row["traces"][0]["nodes"]:
            if node.get("advantages"):
                node["advantages"][0] += 0.5

    run = open_run(str(copied(tmp_path, credit)))
    assert "advantage-by-token" in codes(run)
    assert lacking(run, "advantage") is not None


def test_a_weight_that_changes_is_told_and_not_used(tmp_path: Path) -> None:
    def change(row: dict[str, Any]) -> None:
        if row["group"] and row["group"]["id"] == "a":
            row["traces"][0]["rewards"]["short"]["weight"] = 0.25

    run = open_run(str(copied(tmp_path, lambda row: change(row) if row.get("group") else None)))
    assert "weights-change" in codes(run)
    assert run.header.settings.weights is None


def test_without_effective_nothing_says_what_was_trained(tmp_path: Path) -> None:
    put(tmp_path / ALL.format(1), *episodes(ALL.format(1)))
    run = open_run(str(tmp_path))
    assert "trained" not in run.columns
    declined = lacking(run, "advantage")
    assert declined is not None
    assert "train/effective" in declined.remedy


def test_without_all_what_was_not_trained_is_missing(tmp_path: Path) -> None:
    put(tmp_path / "run_default" / EFFECTIVE.format(2), *episodes(EFFECTIVE.format(2)))
    run = open_run(str(tmp_path))
    assert run.counts["rows"] == 4
    assert "effective-alone" in codes(run)
    assert "[file_monitor]" in run.header.gaps["series"].remedy


def export(row: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A token export's line of an episode's trace."""
    nodes = row["traces"][0]["nodes"]
    ids = [one for node in nodes for one in node["token_ids"]]
    mask = [one for node in nodes for one in node["mask"]]
    numbers = {"trainer_logprobs": -0.5, "entropy": 1.25, "mismatch_kl": 0.125, "importance_ratio": 1.5}
    lists = {name: [value if kept else 9.0 for kept in mask] for name, value in numbers.items()}
    return {"schema_version": 1, "step": 2, "token_ids": ids, "loss_mask": mask, **lists} | more


def test_token_exports_are_joined_by_step_and_tokens(tmp_path: Path) -> None:
    rows = episodes(EFFECTIVE.format(2))
    put(tmp_path / EFFECTIVE.format(2), *rows)
    lost = export(rows[1])
    lost["entropy"] = [None] * len(lost["entropy"])
    put(tmp_path / "token_exports/step_2/rank_0.jsonl", export(rows[0]), lost)
    put(tmp_path / "token_exports/step_2/rank_1.jsonl", export(rows[2]))
    run = open_run(str(tmp_path))
    told = run.sql('SELECT logp, entropy, "extra.mismatch_kl", "extra.importance_ratio" FROM rollouts ORDER BY row')
    assert told == [(-1.0, 1.25, 0.125, 1.5), (-2.5, None, 0.125, 1.5), (-1.0, 1.25, 0.125, 1.5), (None,) * 4]
    (unmatched,) = [one for one in run.header.findings if one.code == "token-export-unmatched"]
    assert unmatched.rows == 1


def test_a_token_export_of_unequal_lists_names_file_and_line(tmp_path: Path) -> None:
    rows = episodes(EFFECTIVE.format(2))
    put(tmp_path / EFFECTIVE.format(2), *rows)
    put(tmp_path / "token_exports/step_2/rank_0.jsonl", export(rows[0]), export(rows[1], entropy=[1.0]))
    with pytest.raises(UsageError, match=r"rank_0\.jsonl:2: entropy has 1 numbers for 12 tokens"):
        open_run(str(tmp_path))


def test_a_row_that_is_no_episode_names_file_line_and_field(tmp_path: Path) -> None:
    rows = episodes(ALL.format(1))
    rows[1]["traces"][0]["rewards"]["right"]["score"] = "1.0"
    put(tmp_path / ALL.format(1), *rows)
    with pytest.raises(UsageError, match=r"traces\.jsonl:2: no episode: Expected `float \| null`, got `str`.*score"):
        open_run(str(tmp_path))


def test_an_evaluation_is_rollouts_of_step_0_by_task() -> None:
    run = open_run(str(FIXTURES / "verifiers"))
    assert run.header.adapter == "verifiers"
    assert run.sql('SELECT step, count(*), sum(reward) FROM rollouts GROUP BY step, "group"') == [(0, 2, 1.0)] * 2
    assert run.header.settings.weights == {"right": 1.0, "style": 0.0}
    assert run.sql('SELECT DISTINCT "score.style" FROM rollouts ORDER BY 1') == [(0.0,), (0.25,)]
    assert "trains on nothing" in run.header.gaps["advantage"].detail


def test_a_validation_holds_no_rollouts(tmp_path: Path) -> None:
    row = {"index": 0, "name": "sums", "mode": "gold", "valid": True, "reason": "valid", "elapsed": 0.1}
    put(tmp_path / "results.jsonl", row, row | {"index": 1, "valid": False, "reason": "invalid"})
    run = open_run(str(tmp_path))
    declined = lacking(run, "rollouts")
    assert declined is not None
    assert "1 invalid, 1 valid" in declined.detail
