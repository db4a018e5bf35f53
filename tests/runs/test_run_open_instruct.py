"""open-instruct's traces, as its own function wrote them."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.reading import Declined
from lens.runs.opening import open_run
from lens.runs.record import Record
from lens.runs.review import Review, lacking
from lens.runs.selection.replay import replay

FIXTURE = Path(__file__).parent / "fixtures/open_instruct"
SHARD = "sums__1_rollouts_000000.jsonl"


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def rows() -> list[dict[str, Any]]:
    return [json.loads(one) for one in (FIXTURE / SHARD).read_text().splitlines()]


def put(folder: Path, *some: Any) -> Path:
    (folder / SHARD).write_text("".join(json.dumps(row) + "\n" for row in some))
    return folder


def codes(run: Record) -> list[str]:
    return [one.code for one in run.header.findings]


def test_groups_are_prompts_of_a_step() -> None:
    run = open_run(str(FIXTURE))
    assert run.header.adapter == "open-instruct"
    assert (run.counts["rows"], run.counts["groups"]) == (20, 5)
    assert run.sql('SELECT count(*), count(DISTINCT prompt) FROM rollouts GROUP BY "group"') == [(4, 1)] * 5


def test_log_probabilities_are_summed_and_lengths_counted() -> None:
    run = open_run(str(FIXTURE))
    found = run.sql("SELECT logp_old, tokens, truncated FROM rollouts ORDER BY row")
    for (logp, tokens, truncated), row in zip(found, rows(), strict=True):
        assert logp == math.fsum(row["logprobs"])
        assert (tokens, truncated) == (len(row["response_tokens"]), row["finish_reason"] == "length")


def test_replay_finds_its_rule() -> None:
    found = replay(Review(run=open_run(str(FIXTURE))))
    assert not isinstance(found, Declined)
    accepted = {(one.rule.family, one.rule.ddof) for one in found.tried if one.accepted}
    assert accepted == {("group", 0)}


def test_lists_that_lost_a_log_probability_are_not_aligned(tmp_path: Path) -> None:
    some = rows()
    some[1]["logprobs"] = some[1]["logprobs"][1:]
    some[2]["logprobs"][0] = math.nan
    run = open_run(str(put(tmp_path, *some)))
    (told,) = [one for one in run.header.findings if one.code == "shifted-lists"]
    assert told.rows == 2
    declined = lacking(run, "logp_old")
    assert declined is not None
    assert "2 of 20 rollouts" in declined.detail


def test_a_step_written_again_by_a_resumed_run_stands_as_groups_of_its_own(tmp_path: Path) -> None:
    some = rows()
    again = [row | {"prompt_tokens": [9]} for row in some if row["step"] == 2]
    run = open_run(str(put(tmp_path, *some, *again)))
    assert "repeated-step" in codes(run)
    assert (run.counts["rows"], run.counts["groups"]) == (28, 7)
    assert lacking(run, "rollouts") is None


def test_steps_that_two_threads_wrote_at_once_stay_apart(tmp_path: Path) -> None:
    some = rows()
    first, second = ([row for row in some if row["step"] == step] for step in (1, 2))
    mixed = [row for pair in zip(first, second, strict=False) for row in pair] + first[len(second) :]
    run = open_run(str(put(tmp_path, *mixed)))
    assert run.counts["groups"] == 5
    assert "repeated-step" not in codes(run)


def test_two_prompts_under_one_index_are_no_group(tmp_path: Path) -> None:
    some = rows()
    del some[2]
    for at, row in enumerate(row for row in some if row["step"] == 1):
        row |= {"sample_idx": at, "prompt_idx": at // 4}
    declined = lacking(open_run(str(put(tmp_path, *some))), "rollouts")
    assert declined is not None
    assert f"{SHARD}:4" in declined.detail


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"reward": "1.0"}, "got `str`.*reward"),
        ({"response_tokens": "abc"}, "got `str`.*response_tokens"),
        ({"step": None}, "got `null`.*step"),
    ],
)
def test_a_row_of_another_shape_names_file_line_and_field(tmp_path: Path, change: dict[str, Any], said: str) -> None:
    some = rows()
    put(tmp_path, some[0], some[1] | change)
    with pytest.raises(UsageError, match=rf"{SHARD}:2: no rollout record: .*{said}"):
        open_run(str(tmp_path))


def test_advantages_that_are_no_number_void_the_replay(tmp_path: Path) -> None:
    some = rows()
    some[3]["advantage"] = math.nan
    declined = replay(Review(run=open_run(str(put(tmp_path, *some)))))
    assert isinstance(declined, Declined)
    assert "1 of 20" in declined.detail
