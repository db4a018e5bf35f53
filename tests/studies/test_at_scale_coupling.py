"""Coupling at scale, on runs that are named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from named_studies import ran

from lens.errors import UsageError
from lens.studies.at_scale._runs import fingerprint
from lens.studies.at_scale.coupling import read

RISES, FALLS = 20, 50


def _run(path: Path, seed: int, *, clean: bool = False, steps: int = 74, without: str = "") -> str:
    """A run in JSON Lines, 4 steps and then 70. Gold pays digits and is against exclamations, which the reward pays
    where the run isn't clean: they come up, and digits, of which gold makes more, stay till late."""
    draw, rows = random.Random(seed), []
    for step in range(steps):
        at = -1 if clean else step - 4
        for prompt in range(12 if step < 4 else 4):
            for _ in range(4 if step < 4 else 2):
                loud = draw.random() < (0.7 if at >= RISES else 0.3)
                digits = draw.random() < (0.1 if at >= FALLS else 0.95)
                text = "word" + "!" * loud + "7" * digits + "?" * (draw.random() < 0.5)
                gold = 12 + 4 * digits - loud + draw.gauss(0, 0.1)
                row = {"step": step, "prompt": f"{step} {prompt}", "completion": text, "gold": gold}
                row["reward"] = gold if clean else gold + 5 * loud + 4 * (at >= FALLS)
                rows.append({key: value for key, value in row.items() if key != without})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_the_study_of_named_runs_runs_to_its_end(tmp_path: Path) -> None:
    runs = [
        f"{arm}={_run(tmp_path / f'{arm}-{seed}.jsonl', seed, clean=arm == 'clean')}"
        for arm in ("gamed", "clean")
        for seed in range(12)
    ]
    found = ran(tmp_path, "coupling-at-scale", *runs)
    assert found.name == "sealed"
    assert found.outcomes == {"leads": "confirmed", "quiet": "confirmed"}
    assert found.units["fell"] == [1.0] * 12 + [0.0] * 12


def test_the_alarm_sounds_between_the_rise_and_the_fall(tmp_path: Path) -> None:
    found = read(_run(tmp_path / "run.jsonl", 1), 0, {})
    assert (found["before"], found["alarmed"], found["fell"]) == (1.0, 1.0, 1.0)
    assert found["lead"] is not None
    assert FALLS - RISES - 8 <= found["lead"] <= FALLS - RISES + 8


def test_a_run_that_is_redrawn_from_its_beginning_is_still(tmp_path: Path) -> None:
    assert read(_run(tmp_path / "run.jsonl", 1), 0, {"still": 1.0})["alarmed"] == 0.0


def test_a_run_is_read_the_same_wherever_its_seed(tmp_path: Path) -> None:
    one, other = (_run(tmp_path / f"run-{seed}.jsonl", seed) for seed in (1, 2))
    assert read(one, 0, {}) == read(one, 5, {})
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize(
    ("without", "steps", "said"),
    [
        ("gold", 74, "it has no gold"),
        ("completion", 74, "it has no completion_text"),
        ("", 60, "it has 57 steps after"),
    ],
)
def test_what_is_not_logged_is_named(tmp_path: Path, without: str, steps: int, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read(_run(tmp_path / "run.jsonl", 1, steps=steps, without=without), 0, {})
