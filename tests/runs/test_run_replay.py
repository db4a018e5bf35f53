"""Replay: each trainer's rule by its own numbers, the true rule of every micro-run and no other, traps named."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest

from lens.reading import Declined
from lens.runs.header import Header
from lens.runs.opening import open_run
from lens.runs.record import Record, open_folder
from lens.runs.review import Review
from lens.runs.selection.replay import Replay, accepted, replay
from lens.runs.selection.rules import Rule, Scored, frame
from lens.runs.settings import Settings
from lens.runs.writer import Writer


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def made(folder: Path, columns: dict[str, Any], settings: Settings | None = None) -> Record:
    """A record of one file."""
    folder.mkdir(exist_ok=True)
    writer = Writer(folder, folder)
    writer.rollouts(folder / "made.jsonl", columns)
    writer.finish()
    header = Header(
        adapter="flat", adapter_version=1, known_by="", trainer="", tested="", fingerprint="0" * 64,
        settings=settings or Settings(), leaves=writer.leaves(),
    )  # fmt: skip
    (folder / "record.json").write_bytes(msgspec.json.encode(header))
    return open_folder(folder, "made", "made")


def advantages(folder: Path, rule: Rule, rewards: Sequence[float | None], groups: Sequence[int]) -> list[float]:
    """What a rule gives, in order."""
    columns = {"step": 1, "group": list(groups), "reward": list(rewards)}
    record = made(folder, columns)
    found = record.sql(f"SELECT {rule.advantage()} FROM ({frame([rule], [Scored('reward', {})])}) ORDER BY row")
    return [one for (one,) in found]


def cases(shared: Path) -> dict[str, Any]:
    return {one["id"]: one for one in map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())}


FOUR = ([1.0, 0.0, None, 1.0], [0] * 4)


@pytest.mark.parametrize(
    ("rule", "right"),
    [
        (Rule("group"), [0.57725, -1.154501, 0.0, 0.57725]),
        (Rule("group", imputed=True), [0.865875, -0.865875, -0.865875, 0.865875]),
        (Rule("none"), [1 / 3, -2 / 3, 0.0, 1 / 3]),
        (Rule("rloo"), [0.5, -1.0, 0.0, 0.5]),
        (Rule("whiten"), [0.57725, -1.154501, 0.0, 0.57725]),
    ],
)
def test_an_abstention_is_not_a_zero(tmp_path: Path, rule: Rule, right: list[float]) -> None:
    assert advantages(tmp_path, rule, *FOUR) == pytest.approx(right, abs=1e-6)


def test_verls_own_numbers(tmp_path: Path, shared: Path) -> None:
    oracle = json.loads((shared / "data/runs/verl_style/oracle_edge.json").read_text())
    rewards, groups = [0.7, 1.0, 0.0, 1.0, 0.0], [0, 1, 1, 2, 2]
    kept = Rule("group", epsilon=1e-6, alone="kept")
    singles = [one for one in oracle["singleton"] if abs(one) > 0.8]
    assert advantages(tmp_path, kept, rewards, groups)[0] == pytest.approx(oracle["singleton"][0], abs=2e-6)
    assert len(singles) == 4
    lone = advantages(tmp_path / "r", Rule("rloo", alone="kept"), rewards, groups)
    assert lone[0] == pytest.approx(oracle["singleton_rloo"][0], abs=1e-6)
    assert advantages(tmp_path / "p", Rule("rloo"), [1.0, 0.0], [0, 0]) == pytest.approx(oracle["rloo_pair"])
    assert advantages(tmp_path / "z", Rule("group"), rewards, groups)[0] == 0.0


def test_the_rules_are_verls_on_its_own_advantages(tmp_path: Path, shared: Path) -> None:
    rows = [
        json.loads(one) for one in (shared / "data/runs/verl_style/oracle_advantages.jsonl").read_text().splitlines()
    ]
    columns = {"step": [one["step"] for one in rows], "group": [one["row"] // 4 for one in rows]}
    columns["reward"] = [one["score"] for one in rows]
    for name, true in (("grpo", "group"), ("rloo", "rloo"), ("dr_grpo", "none")):
        record = made(tmp_path / name, columns | {"advantage": [one[name] for one in rows]})
        fits = accepted(Review(run=record))
        assert not isinstance(fits, Declined), fits
        assert {rule.family for rule in fits} == {true}
        if name == "grpo":
            assert {(rule.ddof, rule.epsilon) for rule in fits} == {(1, 0.0), (1, 1e-9), (1, 1e-8), (1, 1e-6)}


def test_a_batch_of_two_groups_by_hand(tmp_path: Path) -> None:
    rewards, groups = [1.0, 0.0, 1.0, 1.0], [0, 0, 1, 1]
    assert advantages(tmp_path, Rule("batch"), rewards, groups) == pytest.approx([0.9998, -0.9998, 0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("rule", [Rule("group"), Rule("none"), Rule("rloo"), Rule("batch")])
def test_scored_rollouts_of_a_group_add_to_nothing_and_a_shift_moves_nothing(tmp_path: Path, rule: Rule) -> None:
    rewards = [0.3, 0.9, None, 0.1, 2.0, 2.5, 1.0, 0.0]
    groups = [0, 0, 0, 0, 1, 1, 1, 1]
    here = advantages(tmp_path / "a", rule, rewards, groups)
    assert sum(here[:4]) == pytest.approx(0, abs=1e-12)
    assert sum(here[4:]) == pytest.approx(0, abs=1e-12)
    shifted = [None if r is None else r + (5.0 if g else -3.0) for r, g in zip(rewards, groups, strict=True)]
    if rule.family != "batch":
        assert advantages(tmp_path / "b", rule, shifted, groups) == pytest.approx(here, abs=1e-12)
    order = [7, 2, 5, 0, 3, 6, 1, 4]
    mixed = advantages(tmp_path / "c", rule, [rewards[at] for at in order], [groups[at] for at in order])
    assert mixed == pytest.approx([here[at] for at in order], abs=1e-12)


TRUE = {"batch_scale": "batch", "none_scale": "none", "norm_then_sum": "sum"}
ALL = (
    "base batch_scale beta_kl logging2 max_grad_norm_tiny none_scale norm_then_sum partition_clip partition_dapo "
    "partition_dapo_bf16 partition_grpo_loss partition_gspo partition_reuse4 reuse spg4_ga2"
)


@pytest.mark.parametrize("name", ALL.split())
def test_the_true_rule_of_a_micro_run_and_no_other(shared: Path, name: str) -> None:
    found = replay(Review(run=open_run(str(shared / "data/runs/trl_micro" / name))))
    assert isinstance(found, Replay)
    family = TRUE.get(name, "group")
    assert found.accepted == ((Rule("none"),) if family == "none" else (Rule(family, 1, 1e-4),))  # type: ignore[arg-type]
    assert found.tried[0].residual < 3e-6
    assert found.nearest is not None
    assert found.nearest.residual > 5e-4


def test_runs_that_cannot_tell_keep_every_rule_that_fits(shared: Path) -> None:
    true = Rule("group", 1, 1e-4)
    for name in ("constant", "all_none_rows"):
        fits = accepted(Review(run=open_run(str(shared / "data/runs/trl_micro" / name))))
        assert not isinstance(fits, Declined)
        assert true in fits
        assert all(not rule.imputed for rule in fits)


def test_an_overwritten_column_declines(shared: Path) -> None:
    fits = accepted(Review(run=open_run(str(shared / "data/runs/trl_micro/name_clash"))))
    assert isinstance(fits, Declined)
    assert "overwritten" in fits.detail


@pytest.mark.parametrize(("name", "worst"), [("long", 2.97e-6), ("short", 1.17e-6)])
def test_the_reference_record_replays_to_the_digit(shared: Path, name: str, worst: float) -> None:
    found = replay(Review(run=open_run(str(shared / f"data/runs/grpo_run/{name}"))))
    assert isinstance(found, Replay)
    assert found.accepted == (Rule("group", 1, 1e-4),)
    assert found.tried[0].residual == pytest.approx(worst, rel=5e-3)


def test_case_scale_rewards_batch_bug(tmp_path: Path, shared: Path) -> None:
    """The recorded numbers are the group rule's though the configuration says batch: the record decides."""
    case = cases(shared)["scale_rewards_batch_bug"]
    rewards = [row["r"] for row in case["input"]["rows"]]
    columns = {"step": 1, "group": [0, 0, 1, 1], "reward": rewards, "advantage": case["wrong"]["advantage"]}
    fits = accepted(Review(run=made(tmp_path, columns, Settings(scale="batch"))))
    assert not isinstance(fits, Declined)
    assert {rule.family for rule in fits} == {"group"}


def test_case_gdpo_nan_batch(tmp_path: Path, shared: Path) -> None:
    case = cases(shared)["gdpo_nan_batch"]["input"]
    columns = {"step": 1, "group": 0, "advantage": [float("nan")] * 4}
    columns |= {f"score.{name}": [row[name] for row in case["rows"]] for name in case["reward_funcs"]}
    found = replay(Review(run=made(tmp_path, columns, Settings(weights={"a": 1.0, "b": 1.0}))))
    assert isinstance(found, Declined)
    assert "4 of 4" in found.detail
    assert found.reason == "void"


def test_case_fp32_constant_group(tmp_path: Path, shared: Path) -> None:
    case = cases(shared)["fp32_constant_group"]["input"]
    rewards, recorded = [*case["scores"], 1.0, 0.0], [*case["recorded_advantage"], 0.707106, -0.707106]
    columns = {"step": 1, "group": [0] * 6 + [1] * 2, "reward": rewards, "advantage": recorded}
    found = replay(Review(run=made(tmp_path, columns)))
    assert isinstance(found, Replay)
    assert found.roundoff == 6
    assert Rule("group", 1, 1e-6) in found.accepted
    assert Rule("group", 1, 1e-4) not in found.accepted


def test_case_exact_zero_vs_tolerance(tmp_path: Path, shared: Path) -> None:
    case = cases(shared)["exact_zero_vs_tolerance"]
    recorded = case["input"]["recorded_advantage"]
    columns = {"step": 1, "group": 0, "reward": [0.5, 1.5, -0.5], "advantage": [recorded[0], 0.9999, -0.9999]}
    found = replay(Review(run=made(tmp_path, columns)))
    assert isinstance(found, Replay)
    assert Rule("group", 1, 1e-4) in found.accepted


def test_a_writer_that_rounds_is_given_its_unit(tmp_path: Path) -> None:
    rewards = [0.1237, 0.5521, 0.9313, 0.3371]
    exact = advantages(tmp_path / "e", Rule("group"), rewards, [0] * 4)
    rounded = [round(one, 4) for one in exact]
    columns = {"step": 1, "group": 0, "reward": [round(one, 4) for one in rewards], "advantage": rounded}
    assert Rule("group") in accepted(Review(run=made(tmp_path / "r", columns, Settings(rounded=5e-5))))  # type: ignore[operator]
    assert isinstance(accepted(Review(run=made(tmp_path / "n", columns))), Declined)


def test_no_rule_fits_advantages_from_elsewhere(tmp_path: Path) -> None:
    columns = {"step": 1, "group": 0, "reward": [0.0, 1.0, 0.5], "advantage": [0.3, 0.2, -0.9]}
    found = accepted(Review(run=made(tmp_path, columns)))
    assert isinstance(found, Declined)
    assert "nearest is" in found.detail


def test_unknown_weights_decline_and_a_total_that_leaves_miss_is_told(tmp_path: Path) -> None:
    leaves = {"score.a": [0.0, 1.0], "score.b": [1.0, 0.0], "advantage": [0.0, 0.0], "step": 1, "group": 0}
    alone = replay(Review(run=made(tmp_path / "w", leaves)))
    assert isinstance(alone, Declined)
    assert "weights" in alone.detail
    missed = replay(
        Review(run=made(tmp_path / "m", leaves | {"reward": [3.0, 1.0]}, Settings(weights={"a": 1.0, "b": 1.0})))
    )
    assert isinstance(missed, Declined)
    assert missed.reason == "assumption_violated"
