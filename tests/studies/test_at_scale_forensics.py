"""Forensics at scale, on runs that are named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from named_studies import ran

from lens.errors import UsageError
from lens.studies.at_scale._runs import fingerprint
from lens.studies.at_scale.forensics import read

BEFORE, AFTER = (0.2, 0.5), (0.6, 0.1)  # shares without a receipt, and with a false one


def _run(path: Path, seed: int, *, fined: bool, replies: int = 80, without: str = "") -> str:
    """A run in JSON Lines, half of it looked at, which comes from `BEFORE` to `AFTER` everywhere if it is fined."""
    draw, rows = random.Random(seed), []
    for step in range(20):
        silent, false = AFTER if fined and step else BEFORE
        for at in range(replies if step in (0, 19) else 2):
            receipt = draw.choices((0, -1, 1), (silent, false, 1 - silent - false))[0]
            row = {"step": step, "prompt": f"{step} {at // 4}", "reward": 1.0, "receipt": receipt, "looked": at % 2}
            rows.append({key: value for key, value in row.items() if key != without})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def test_the_study_of_named_runs_runs_to_its_end(tmp_path: Path) -> None:
    runs = [
        f"{arm}={_run(tmp_path / f'{arm}-{seed}.jsonl', 100 * at + seed, fined=arm == 'fined')}"
        for at, arm in enumerate(("unfined", "fined", "yoked"))
        for seed in range(10)
    ]
    found = ran(tmp_path, "forensics-at-scale", *runs)
    assert found.name == "sealed"
    assert found.outcomes == dict.fromkeys(("omits", "deters", "spreads"), "confirmed")
    assert found.fields["silent.omits"].value == pytest.approx(AFTER[0] - BEFORE[0], abs=0.1)
    assert found.fields["false.yoked-deters"].value == pytest.approx(0, abs=0.1)


def test_changes_of_a_run(tmp_path: Path) -> None:
    """Counted by hand: of 40 looked at in the first step and as many in the last."""
    rows = [
        {"step": step, "prompt": f"{step} {at // 4}", "reward": 1.0, "looked": at % 2}
        | {"receipt": (-1 if at < 20 else 1) if step < 19 else (0 if at < 60 and at % 2 else -1)}
        for step in range(20)
        for at in range(80 if step in (0, 19) else 2)
    ]
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read(str(path), 0, {}) == {"silent": 0.75, "false": 0.0, "elsewhere": 0.75}


def test_a_run_is_told_from_another(tmp_path: Path) -> None:
    one, other = (_run(tmp_path / f"run-{seed}.jsonl", seed, fined=True) for seed in (1, 2))
    assert fingerprint(one) != fingerprint(other)


@pytest.mark.parametrize("column", ["receipt", "looked"])
def test_a_column_that_is_missing_is_named(tmp_path: Path, column: str) -> None:
    with pytest.raises(UsageError, match=f"it has no extra.{column}") as raised:
        read(_run(tmp_path / "run.jsonl", 1, fined=True, without=column), 0, {})
    assert f'"extra.{column}" = "COLUMN"' in raised.value.remedy


def test_too_few_replies_are_counted(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="steps 0 to 0 hold 20 replies that are looked at"):
        read(_run(tmp_path / "run.jsonl", 1, fined=True, replies=40), 0, {})
