"""Phase at scale, on runs that are named."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from named_studies import ran

from lens.errors import UsageError
from lens.studies.at_scale._runs import fingerprint
from lens.studies.at_scale.phase import _joined, _sweeps, read
from lens.studies.sciences._sweep import coefficients

_REST = [1.0] * 6


def _run(
    path: Path, seed: int, *, loop: float = 0.3, held: Sequence[float] = (), name: str = "beta", without: str = ""
) -> str:
    """A run in JSON Lines, 8 replies a step: the reward pays exclamations, of which there are the more the lower the
    coefficient, and more by `loop` once it has been at its lowest."""
    draw, rows = random.Random(seed), []
    held = held or [*_REST, *coefficients(12), *coefficients(16)]
    for step, coefficient in enumerate(held):
        up = (
            step > 1
            and coefficient < 1
            and (held[step - 1] < coefficient or held[step - 1] == coefficient == min(held))
        )
        chance = 0.3 - 0.1 * math.log(coefficient) + loop * up
        for at in range(8):
            loud = draw.random() < chance
            row = {
                "step": step,
                "prompt": f"{step} {at // 4}",
                "completion": "word" + "!" * loud,
                "reward": float(loud),
            }
            row[name] = coefficient
            rows.append({key: value for key, value in row.items() if key != without})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_the_study_of_named_runs_runs_to_its_end(tmp_path: Path) -> None:
    runs = [f"swept={_run(tmp_path / f'run-{seed}.jsonl', seed)}" for seed in range(10)]
    found = ran(tmp_path, "phase-at-scale", *runs)
    assert found.name == "sealed"
    assert set(found.outcomes) == {"remembers"}
    assert 0.2 < sum(found.units["slow"]) / 10 < 0.4
    assert sum(found.units["limit"]) / 10 > 0.15


def test_no_loop_is_planted(tmp_path: Path) -> None:
    areas = [read(_run(tmp_path / f"run-{seed}.jsonl", seed, loop=0.0), 0, {})["slow"] for seed in range(2)]
    assert abs(sum(one for one in areas if one is not None) / 2) < 0.1


def test_sweeps_are_found_where_the_coefficient_rests_between_them() -> None:
    held = dict(enumerate([*_REST, *coefficients(12), *_REST, *coefficients(24)]))
    one, other = _sweeps(held, "a run")
    assert (one.down, one.up) == (list(range(6, 18)), list(range(18, 30)))
    assert (other.down[0], len(other.down), other.up[-1]) == (36, 24, 83)


def test_steps_are_joined_till_the_shortest_leg_has_twelve() -> None:
    held = dict(enumerate([*_REST, *coefficients(24), *coefficients(36)]))
    lists, joined = _joined(_sweeps(held, "a run"), {step: float(step) for step in held})
    assert joined == 2
    assert {leg: len(shares) for leg, shares in lists.items()} == {12: 24, 18: 36}
    assert lists[12][:2] == [6.5, 8.5]


def test_a_run_is_read_the_same_wherever_its_seed(tmp_path: Path) -> None:
    one, other = (_run(tmp_path / f"run-{seed}.jsonl", seed) for seed in (1, 2))
    assert read(one, 0, {}) == read(one, 5, {})
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize(
    ("without", "name", "held", "said"),
    [
        ("beta", "beta", (), "it has no series beta"),
        ("completion", "beta", (), "it has no completion_text"),
        ("", "kl_coef", [*_REST, *coefficients(12), *_REST], "at 1 rates"),
        ("", "kl_coef", [1.0] * 40, "the same at every step"),
        ("", "kl_coef", [*_REST, *(1 - at / 40 for at in range(30)), *_REST], "evenly from step 6"),
    ],
)
def test_what_is_not_logged_or_not_swept_is_said(
    tmp_path: Path, without: str, name: str, held: list[float], said: str
) -> None:
    with pytest.raises(UsageError, match=said):
        read(_run(tmp_path / "run.jsonl", 1, held=held, name=name, without=without), 0, {})
