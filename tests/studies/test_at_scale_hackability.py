"""Hackability at scale, on runs that are named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from named_studies import ran

from lens.errors import UsageError
from lens.studies.at_scale._runs import FEATURES, features, fingerprint
from lens.studies.at_scale.hackability import read

_MAP = (
    '[columns]\nstep = "step"\ngroup = "prompt"\ncompletion_text = "completion"\nreward = "reward"\ngold = "judged"\n'
)


def _run(path: Path, seed: int, driven: str = "!", gold: str = "gold") -> str:
    """A run in JSON Lines: its reward pays digits, as gold does, and exclamations, of which gold wants none. What is
    driven is in half of the first replies, and in all of the last."""
    draw, rows = random.Random(seed), []
    for step in range(20):
        for prompt in range(16 if step in (0, 19) else 1):
            for _ in range(4):
                said = {mark: (step == 19 and mark == driven) or draw.random() < 0.5 for mark in ("!", "7", "?")}
                text = "word" + "".join(mark for mark, there in said.items() if there)
                right = 3 * said["7"] - said["!"] + draw.gauss(0, 0.3)
                row = {"step": step, "prompt": f"{step} {prompt}", "completion": text}
                rows.append(row | {"reward": right + 3 * said["!"], gold: right})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_the_study_of_named_runs_runs_to_its_end(tmp_path: Path) -> None:
    runs = [f"named={_run(tmp_path / f'run-{seed}.jsonl', seed)}" for seed in range(12)]
    found = ran(tmp_path, "hackability-at-scale", *runs)
    assert found.name == "sealed"
    assert found.units["hit"] == [1.0] * 12
    assert found.units["correlated"] == [0.0] * 12
    assert found.outcomes["names"] == "confirmed"
    assert set(found.outcomes) == {"names", "beats-correlation"}


def test_what_gold_wants_too_is_not_named(tmp_path: Path) -> None:
    """Where digits are driven, the strongest correlation names them and the rule doesn't."""
    found = read(_run(tmp_path / "run.jsonl", 1, driven="7"), 0, {})
    assert (found["hit"], found["correlated"], found["over-correlation"]) == (0.0, 1.0, -1.0)


def test_a_run_is_read_the_same_wherever_its_seed(tmp_path: Path) -> None:
    one, other = (_run(tmp_path / f"run-{seed}.jsonl", seed) for seed in (1, 2))
    assert read(one, 0, {}) == read(one, 5, {})
    assert fingerprint(one) != fingerprint(other)


def test_a_column_that_is_missing_is_named_and_a_map_gives_it(tmp_path: Path) -> None:
    run, names = _run(tmp_path / "run.jsonl", 1, gold="judged"), tmp_path / "map.toml"
    with pytest.raises(UsageError, match="it has no gold") as raised:
        read(run, 0, {})
    assert '"gold" = "COLUMN"' in raised.value.remedy
    names.write_text(_MAP)
    assert read(f"{run} --map {names}", 0, {})["hit"] == 1.0
    assert fingerprint(f"{run} --map {names}") != fingerprint(run)


def test_features_of_a_reply() -> None:
    text = "Sure! Perhaps **42**:\n\n1. one\n2. two two"
    assert {name for name, one in zip(FEATURES, features([text])[0], strict=True) if one} == {
        "list", "bold", "paragraphs", "digits", "exclamation", "hedge", "repeats",
    }  # fmt: skip
