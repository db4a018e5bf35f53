"""Effective size of groups: identities of Kish's size, what doesn't change it, and evaluations of one step."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from lens.reading import Declined, Measured, Quantity
from lens.runs.opening import open_run
from lens.runs.review import Review
from lens.runs.scores.group_sizes import group_sizes


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


def run(tmp_path: Path, groups: Sequence[Sequence[float | None]], *, steps: int = 10, **columns: Any) -> Measured:
    """Sizes in a run of `steps` copies of the groups; `columns` are functions of a rollout's place and its reward."""
    rows = [
        {"step": step, "group": f"{step}-{at}", "prompt": f"{at}", "reward": reward}
        | {name: value(place, reward) for name, value in columns.items()}
        for step in range(steps)
        for at, group in enumerate(groups)
        for place, reward in enumerate(group)
    ]
    path = tmp_path / "rollouts.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    reading = group_sizes(Review(open_run(str(path))))
    assert isinstance(reading, Measured)
    return reading


def value(reading: Measured, name: str) -> float:
    found = reading.fields[name]
    assert isinstance(found, Quantity), found
    return float(found.value)


def kish(advantages: list[float]) -> float:
    return math.fsum(map(abs, advantages)) ** 2 / math.fsum(one * one for one in advantages)


def test_a_group_of_two_halves_is_whole_and_one_rollout_against_the_rest_is_not(tmp_path: Path) -> None:
    assert value(run(tmp_path, [[1.0, 1.0, 0.0, 0.0]]), "effective") == pytest.approx(4.0)
    lone = value(run(tmp_path, [[1.0, 0.0, 0.0, 0.0]]), "effective")
    assert lone == pytest.approx(kish([0.75, -0.25, -0.25, -0.25])) == pytest.approx(3.0)


def test_recorded_advantages_give_what_rewards_give_however_they_are_scaled(tmp_path: Path) -> None:
    rewards = [0.2, 0.9, 0.4, 0.4]
    mean = sum(rewards) / 4
    spread = math.sqrt(sum((one - mean) ** 2 for one in rewards) / 3)
    bare = value(run(tmp_path, [rewards]), "effective")
    scaled = run(tmp_path, [rewards], advantage=lambda _, reward: (reward - mean) / (spread + 1e-4))
    assert bare == pytest.approx(kish([one - mean for one in rewards]))
    assert value(scaled, "effective") == pytest.approx(bare)


def test_groups_of_equal_rewards_have_no_effective_size_whatever_round_off_says(tmp_path: Path) -> None:
    constant = [2.1] * 6
    mixed = run(
        tmp_path, [constant, [1.0, 0.0] * 3], advantage=lambda _, reward: -0.189 if reward == 2.1 else reward - 0.5
    )
    assert value(mixed, "effective") == pytest.approx(6.0)
    alone = run(tmp_path, [[0.1] * 3]).fields["effective"]
    assert isinstance(alone, Declined)
    assert alone.reason == "assumption_violated"


def test_an_abstention_is_in_the_group_and_not_among_the_scored(tmp_path: Path) -> None:
    reading = run(tmp_path, [[1.0, 0.0, None, 1.0]])
    assert (value(reading, "size"), value(reading, "scored")) == (4.0, 3.0)
    assert value(reading, "effective") == pytest.approx(kish([1 / 3, -2 / 3, 1 / 3]))


def test_rollouts_of_one_text_are_one(tmp_path: Path) -> None:
    texts = run(tmp_path, [[1.0, 0.0, 0.0, 1.0]], completion=lambda place, _: "same" if place < 3 else "other")
    assert value(texts, "distinct") == pytest.approx(2.0)


def test_groups_of_an_evaluation_have_an_interval_though_they_are_of_one_step(tmp_path: Path) -> None:
    groups = [[1.0, 0.0, 0.0, 0.0] if at % 2 else [1.0, 1.0, 0.0, 0.0] for at in range(40)]
    effective = run(tmp_path, groups, steps=1).fields["effective"]
    assert isinstance(effective, Quantity)
    assert effective.interval is not None
    assert effective.interval.low < effective.value < effective.interval.high
    assert effective.value == pytest.approx(3.5)
    assert effective.n == 40
    few = run(tmp_path, groups[:3], steps=1).fields["effective"]
    assert isinstance(few, Declined)
    assert few.reason == "corpus_inadequate"


def test_eight_verdicts_a_question_and_those_that_differ_in_text(tmp_path: Path, shared: Path) -> None:
    path = shared / "data" / "corpora" / "rl_verifier_robustness" / "math_cot_100.jsonl"
    mapping = Path(__file__).parents[2] / "data" / "maps" / "verifier-robustness.toml"
    reading = group_sizes(Review(open_run(str(path), map=str(mapping))))
    assert isinstance(reading, Measured)
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    unlike = sum(len(set(row["response"])) for row in rows)
    told = [[float(one) for one in row["score"]] for row in rows if len(set(row["score"])) > 1]
    sizes = [kish([one - sum(group) / 8 for one in group]) for group in told]
    assert value(reading, "distinct") == pytest.approx(unlike / 100)
    assert value(reading, "effective") == pytest.approx(sum(sizes) / len(sizes))
