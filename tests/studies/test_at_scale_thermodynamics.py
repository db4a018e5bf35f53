"""Thermodynamics at scale, on runs that are named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from named_studies import ran

from lens.errors import UsageError
from lens.studies.at_scale.thermodynamics import FEATURES, fingerprint, read

_PARTS = {"a, ": 3.0, "7 ": 2.0, "b\n": 1.0, "c? ": -1.0, "D ": -2.0, "word ": 0.0}


def _reply(draw: random.Random, tilt: float) -> tuple[str, float]:
    """A text of twelve parts, and what it is paid: each part has a price, by which a tilted policy draws more of it."""
    weights = [2.0 ** (tilt * price) for price in _PARTS.values()]
    parts = draw.choices(list(_PARTS), weights, k=12)
    return "".join(parts), sum(_PARTS[part] for part in parts) + draw.gauss(0, 1)


def _run(path: Path, seed: int, tilt: float = 0.5, prompts: int = 12, without: str = "") -> str:
    """A run in JSON Lines, 20 steps of 4 replies to a prompt, tilted more and more by what it is paid."""
    draw, rows = random.Random(seed), []
    for step in range(20):
        for prompt in range(prompts if step in (0, 19) else 2):
            for _ in range(4):
                text, reward = _reply(draw, tilt * step / 19)
                row = {"step": step, "prompt": f"question {prompt}", "completion": text, "reward": reward}
                rows.append({key: value for key, value in row.items() if key != without})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_the_study_of_named_runs_runs_to_its_end(tmp_path: Path) -> None:
    runs = [f"named={_run(tmp_path / f'run-{seed}.jsonl', seed)}" for seed in range(8)]
    found = ran(tmp_path, "thermodynamics-at-scale", *runs)
    assert found.name == "sealed"
    assert found.outcomes == {"orders": "confirmed", "gains": "confirmed"}
    assert sum(found.units["order"]) / 8 > 0.6


def test_a_run_that_moves_against_its_reward(tmp_path: Path) -> None:
    order = read(_run(tmp_path / "run.jsonl", 1, tilt=-0.5), 0, {})["order"]
    assert order is not None
    assert order < -0.6


def test_a_run_is_read_the_same_wherever_its_seed(tmp_path: Path) -> None:
    """What is dealt out anew is dealt by the run's own fingerprint, so that no two runs share a deal."""
    one, other = (_run(tmp_path / f"run-{seed}.jsonl", seed) for seed in (1, 2))
    assert read(one, 0, {}) == read(one, 5, {})
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize(
    ("without", "prompts", "said"),
    [("completion", 12, "it logs no text of a reply"), ("", 4, "hold 16 and 16 rollouts")],
)
def test_what_is_not_logged_is_named(tmp_path: Path, without: str, prompts: int, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read(_run(tmp_path / "run.jsonl", 1, prompts=prompts, without=without), 0, {})


def test_features_of_a_reply() -> None:
    text = "Is it 42, or 42?\nNo, 42."
    assert {name: of(text) for name, of in FEATURES.items()} == {
        "characters": 24, "commas": 2, "digits": 6, "lines": 1, "capitals": 2, "questions": 1, "repeats": 2,
        "longest": 2,
    }  # fmt: skip
