"""The tap for any trainer: readable as it grows, whole after a crash, and taken up again behind a checkpoint."""

from __future__ import annotations

import asyncio
import math
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run
from lens.runs.settings import Settings
from lens.runs.tap import Tap
from lens.runs.tap import folder as lying
from lens.runs.tap.rewards import heard


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))


def length(completions: list[str]) -> list[float | None]:
    return [None if not one else len(one) / 4 for one in completions]


def a_step(tap: Tap, step: int, **more: Any) -> None:
    tap.step(step, group=["p", "p", "q", "q"], reward=[0.0, 1.0, 0.5, 0.5], **more)


def test_scores_of_a_wrapped_function_are_the_next_steps_leaf(tmp_path: Path) -> None:
    settings = Settings(algorithm="grpo", weights={"length": 1.0})
    with Tap(tmp_path / "run", settings=settings, trainer="ours") as tap:
        scored = tap.reward(length)
        assert scored.__name__ == "length"
        assert scored(["a", "ab"]) == [0.25, 0.5]
        assert scored(["", "abcd"]) == [None, 1.0]
        texts = {"prompt_text": ["p", "p", "q", "q"], "completion_text": ["a", "ab", "", "abcd"]}
        a_step(tap, 1, advantage=np.array([-0.7, 0.7, 0.0, 0.0]), scores={"other": [1, None, math.nan, True]}, **texts)
        tap.log(1, {"grad_norm": 0.5, "note": "text"})
    run = open_run(str(tmp_path / "run"))
    rows = run.sql('SELECT step, "score.length", advantage, chars FROM rollouts ORDER BY row')
    assert rows == [(1, 0.25, -0.7, 1), (1, 0.5, 0.7, 2), (1, None, 0.0, 0), (1, 1.0, 0.0, 4)]
    other = [one for (one,) in run.sql('SELECT "score.other" FROM rollouts ORDER BY row')]
    assert (other[0], other[1], other[3]) == (1.0, None, 1.0)
    assert math.isnan(other[2])
    assert run.series() == {1: {"grad_norm": 0.5}}
    assert (run.header.trainer, run.header.settings, run.header.trained) == ("ours", settings, 4)
    assert run.counts["groups"] == 2


def test_an_async_function_stays_one_and_errors_pass(tmp_path: Path) -> None:
    told: list[float | None] = []

    async def later(completions: list[str]) -> list[float]:
        return [1.0 for _ in completions]

    def broken(completions: list[str]) -> list[float]:
        raise ValueError("no grader")

    wrapped = heard(later, told.extend)
    assert asyncio.iscoroutinefunction(wrapped)
    assert asyncio.run(wrapped(["a", "b"])) == [1.0, 1.0]
    assert told == [1.0, 1.0]
    with pytest.raises(ValueError, match="no grader"):
        heard(broken, told.extend)(["a"])


def test_what_does_not_fit_is_an_error_and_names_it(tmp_path: Path) -> None:
    tap = Tap(tmp_path / "run")
    scored = tap.reward(length)
    with pytest.raises(UsageError, match="two reward functions are called length"):
        tap.reward(length)
    scored(["a"])
    with pytest.raises(UsageError, match=r"unequal length \(.*score\.length 1"):
        a_step(tap, 1)
    a_step(tap, 2)
    with pytest.raises(UsageError, match="step 1 comes after step 2"):
        a_step(tap, 1)
    with pytest.raises(UsageError, match="mood"):
        a_step(tap, 3, mood=[1, 2, 3, 4])
    with pytest.raises(UsageError, match="holds a record already"):
        Tap(tmp_path / "run")


def test_a_run_is_readable_as_it_grows_and_its_fingerprint_grows_with_it(tmp_path: Path) -> None:
    tap = Tap(tmp_path / "run")
    assert open_run(str(tmp_path / "run")).counts["rows"] == 0
    a_step(tap, 1)
    assert open_run(str(tmp_path / "run")).counts["rows"] == 0
    tap.flush()
    early = open_run(str(tmp_path / "run"))
    assert early.counts["rows"] == 4
    a_step(tap, 2, scores={"late": [1, 2, 3, 4]})
    tap.close()
    late = open_run(str(tmp_path / "run"))
    assert (late.counts["rows"], late.header.leaves) == (8, ("late",))
    assert late.header.absent == {"score.late": 4}
    assert early.header.fingerprint != late.header.fingerprint


CRASH = """
import sys
from lens.runs.tap import Tap
tap = Tap(sys.argv[1])
for step in range(1, 10_000):
    tap.step(step, group=["p"] * 64, reward=[0.5] * 64, completion_text=["x" * 400] * 64)
    tap.log(step, {"loss": 0.5})
    tap.flush()
    print(step, flush=True)
"""


def test_a_run_that_is_killed_leaves_whole_parts_and_goes_on(tmp_path: Path) -> None:
    process = subprocess.Popen([sys.executable, "-c", CRASH, str(tmp_path / "run")], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    while int(process.stdout.readline()) < 12:
        pass
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stdout.close()
    run = open_run(str(tmp_path / "run"))
    assert run.counts["rows"] == 64 * run.counts["steps"]
    assert run.counts["last"] >= 12
    assert run.sql("SELECT count(*) FROM texts")[0][0] in (run.counts["rows"], run.counts["rows"] - 64)
    tap = Tap(tmp_path / "run", resume_at=10)
    tap.step(11, group=["p"] * 64, reward=[1.0] * 64, completion_text=["y"] * 64)
    tap.close()
    again = open_run(str(tmp_path / "run"))
    assert again.counts == {"rows": 11 * 64, "steps": 11, "groups": 11, "first": 1, "last": 11}
    assert again.sql("SELECT max(reward), min(chars) FROM rollouts WHERE step = 11") == [(1.0, 1)]
    assert again.sql("SELECT count(*), count(DISTINCT row), max(row) FROM rollouts") == [(704, 704, 703)]
    assert again.sql("SELECT count(*) FROM texts JOIN rollouts USING (row) WHERE length(completion) <> chars") == [(0,)]
    assert max(again.series()) == 10
    (resumed,) = again.header.findings
    assert resumed.detail.startswith("the run went on from step 10")
    assert resumed.rows == run.counts["rows"] - 640
    assert not list((tmp_path / "run").rglob("*.new"))


def test_many_parts_become_few_and_keep_what_rollouts_lacked(tmp_path: Path) -> None:
    tap = Tap(tmp_path / "run")
    for step in range(1, 101):
        a_step(tap, step, **({"tokens": [1, 2, 3, 4]} if step > 40 else {}))
        tap.flush()
    assert len(lying.parts(tmp_path / "run", "rollouts")) == 100
    tap.close()
    assert len(lying.parts(tmp_path / "run", "rollouts")) == 2
    run = open_run(str(tmp_path / "run"))
    assert run.counts["rows"] == 400
    assert run.header.absent == {"tokens": 160}
    assert [one for (one,) in run.sql("SELECT row FROM rollouts ORDER BY row")] == list(range(400))


def test_putting_together_that_was_stopped_is_mended(tmp_path: Path) -> None:
    tap = Tap(tmp_path / "run")
    a_step(tap, 1)
    tap.flush()
    folder = tmp_path / "run"
    (folder / ".rollouts.new").mkdir()
    (folder / "rollouts").rename(folder / ".rollouts.old")
    (folder / ".rollouts.new" / "part-000000.parquet.new").write_bytes(b"half")
    tap = Tap(folder, resume_at=1)
    tap.close()
    assert open_run(str(folder)).counts["rows"] == 4
    assert [one.name for one in folder.iterdir() if one.name.startswith(".")] == []
