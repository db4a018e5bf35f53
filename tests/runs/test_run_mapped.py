"""A mapping file: any layout in the record's names, and errors that name the column that was meant."""

from __future__ import annotations

import gzip
import json
import math
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lens.errors import UsageError
from lens.runs.opening import open_run
from lens.runs.record import Record


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def opened(tmp_path: Path, mapping: str, path: Path | None = None) -> Record:
    where = tmp_path / "map.toml"
    where.write_text(mapping)
    return open_run(str(path or tmp_path / "run"), map=str(where))


def put(path: Path, *rows: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


NESTED = """
format = "jsonl"
files = "part-*.jsonl"
series = ["stats.kl"]
trainer = "ours"
[columns]
step = "it"
group = "prompt.id"
reward = "total"
"score.right" = "parts.right"
"score.short" = "parts.short"
tokens = "n"
failed = "bad"
[settings]
algorithm = "rloo"
weights = {right = 1.0, short = 0.5}
"""


def row(step: int, total: float, right: float | None, **more: object) -> dict[str, object]:
    parts = {"right": right, **({"short": 0.5} if step == 1 else {})}
    return {"it": step, "prompt": {"id": 7}, "total": total, "parts": parts, "n": 3.0, "bad": 0, **more}


def test_nested_columns_settings_and_series(tmp_path: Path) -> None:
    put(tmp_path / "run/part-1.jsonl", row(1, 0.5, None, stats={"kl": 0.25}), row(1, 1.5, 1))
    put(tmp_path / "run/part-2.jsonl", row(2, 1.0, 1.0, stats={"kl": 0.5}))
    put(tmp_path / "run/other.jsonl", {"no": "rollout"})
    run = opened(tmp_path, NESTED)
    columns = 'step, reward, "score.right", "score.short", tokens, failed'
    assert run.sql(f"SELECT {columns} FROM rollouts") == [
        (1, 0.5, None, 0.5, 3, False),
        (1, 1.5, 1.0, 0.5, 3, False),
        (2, 1.0, 1.0, None, 3, False),
    ]
    assert run.header.absent == {"score.short": 1}  # a file without it is no abstention
    assert run.header.leaves == ("right", "short")
    assert run.header.settings.algorithm == "rloo"
    assert run.header.settings.weights == {"right": 1.0, "short": 0.5}
    assert run.header.trainer == "ours"
    assert run.series("stats.kl") == {1: {"stats.kl": 0.25}, 2: {"stats.kl": 0.5}}
    assert "advantage" in run.header.gaps


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('"total"', '"totl"'), r"no column 'totl': did you mean 'total'\?"),
        (('"it"', '"iteration"'), r"part-1\.jsonl:1: no column 'iteration': there are it, prompt, prompt\.id"),
        (("tokens =", "token ="), r"\[columns\] has no 'token': did you mean 'tokens'\?"),
        (("algorithm =", "algoritm ="), r"\[settings\] has no 'algoritm': did you mean 'algorithm'\?"),
        (("files =", "file ="), r"a mapping has no 'file': did you mean 'files'\?"),
        (('"rloo"', '"rlo"'), r"map\.toml: Invalid enum value 'rlo'"),
        (('step = "it"', ""), r"\[columns\] names no step"),
        (('"n"', '"@lines"'), r"has no '@lines': did you mean '@line'\?"),
        (("[columns]", "[columns"), r"map\.toml: not TOML"),
        (("part-*", "shard-*"), r"has no file shard-\*\.jsonl"),
        (('"total"', '"prompt"'), r"part-1\.jsonl:1: reward is dict .* not a number"),
        (('"n"', '"total"'), r"part-1\.jsonl:1: tokens is '0\.5', not a whole number"),
        (('"bad"', '"n"'), r"part-1\.jsonl:1: failed is '3\.0', not true or false"),
    ],
)
def test_a_mapping_that_is_off_says_where_and_what_was_meant(
    tmp_path: Path, cache: Path, change: tuple[str, str], says: str
) -> None:
    put(tmp_path / "run/part-1.jsonl", row(1, 0.5, 0.0, stats={"kl": 0.25}))
    with pytest.raises(UsageError, match=says):
        opened(tmp_path, NESTED.replace(*change))
    assert not any(cache.glob("runs/*"))


def test_numbers_written_as_text_are_refused_in_json_and_read_in_csv(tmp_path: Path) -> None:
    mapping = '[columns]\nstep = "s"\ngroup = "g"\nreward = "r"\ntruncated = "cut"\n'
    path = put(tmp_path / "a.jsonl", {"s": 1, "g": 1, "r": "0.5", "cut": 0})
    with pytest.raises(UsageError, match=r"a\.jsonl:1: reward is str '0\.5'"):
        opened(tmp_path, mapping, path)
    path = tmp_path / "a.csv"
    path.write_text("s,g,r,cut\n1,x,0.5,true\n1,x,,False\n2,x,nan,0\n")
    values = opened(tmp_path, mapping, path).sql("SELECT step, reward, truncated FROM rollouts")
    assert values[:2] == [(1, 0.5, True), (1, None, False)]
    assert values[2][1] != values[2][1]
    path.write_text("s,g,r,cut\n1,x,high,true\n")
    with pytest.raises(UsageError, match=r"a\.csv:2: reward is str 'high'"):
        opened(tmp_path, mapping, path)
    path.write_text("s,g,r,cut\n1,x,1_0,true\n")
    with pytest.raises(UsageError, match=r"a\.csv:2: reward is str '1_0'"):
        opened(tmp_path, mapping, path)


def test_a_csv_row_that_is_cut_ends_the_record_and_a_short_one_elsewhere_is_an_error(tmp_path: Path) -> None:
    mapping = '[columns]\nstep = "s"\ngroup = "g"\nreward = "r"\n'
    path = tmp_path / "a.csv"
    path.write_text("s,g,r\n1,x,0.5\n1,x")
    run = opened(tmp_path, mapping, path)
    assert (run.counts["rows"], [one.code for one in run.header.findings]) == (1, ["torn-line"])
    path.write_text("s,g,r\n1,x\n1,x,0.5\n")
    with pytest.raises(UsageError, match=r"a\.csv:2: 2 cells under 3 columns"):
        opened(tmp_path, mapping, path)


def test_parquet_columns_are_checked_before_rows_are_read(tmp_path: Path) -> None:
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"s": [1, 1], "uid": ["a", "b"], "m": [{"acc": 1.0}, {"acc": None}]}), path)
    mapping = '[columns]\nstep = "s"\ngroup = "uid"\n"score.acc" = "m.acc"\n'
    assert opened(tmp_path, mapping, path).sql('SELECT "score.acc" FROM rollouts') == [(1.0,), (None,)]
    with pytest.raises(UsageError, match=r"a\.parquet: no column 'uidd': did you mean 'uid'\?"):
        opened(tmp_path, mapping.replace('"uid"', '"uidd"'), path)


def test_lists_are_one_rollout_an_entry_and_must_agree(tmp_path: Path) -> None:
    mapping = (
        'each = ["r", "a.b"]\n[columns]\nstep = "@number"\ngroup = "q"\nreward = "r"\n"extra.b" = "a.b.0"\n'
        '"extra.place" = "@place"\n'
    )
    put(
        tmp_path / "run/step_12.jsonl",
        {"q": 1, "r": [1, 0], "a": {"b": [[5.0], [6.0]]}},
        {"q": 2, "r": [], "a": {"b": []}},
    )
    run = opened(tmp_path, mapping)
    rows = run.sql('SELECT step, line, reward, "extra.b", "extra.place" FROM rollouts')
    assert rows == [(12, 1, 1.0, 5.0, 1.0), (12, 1, 0.0, 6.0, 2.0)]
    assert [one.code for one in run.header.findings] == ["no-rollouts"]
    put(tmp_path / "run/step_12.jsonl", {"q": 1, "r": [1, 0], "a": {"b": [[5.0]]}})
    with pytest.raises(UsageError, match=r"step_12\.jsonl:1: lists of unequal length \(r 2, a\.b 1\)"):
        opened(tmp_path, mapping)


def test_steps_without_a_group_are_series_alone_and_the_last_of_a_repeated_step_counts(tmp_path: Path) -> None:
    path = tmp_path / "metrics.csv"
    path.write_text("n,loss\n1,0.5\n2,0.4\n2,0.3\n3,\n")
    run = opened(tmp_path, 'series = ["loss"]\n[columns]\nstep = "n"\n', path)
    assert run.series() == {1: {"loss": 0.5}, 2: {"loss": 0.3}}
    assert run.counts["rows"] == 0
    assert [(one.code, one.line) for one in run.header.findings] == [("repeated-step", 4)]


def test_a_writer_that_rounds_is_seen(tmp_path: Path) -> None:
    mapping = '[columns]\nstep = "s"\ngroup = "g"\nadvantage = "a"\n'
    path = put(tmp_path / "a.jsonl", *({"s": at, "g": 1, "a": round(at / 7, 4)} for at in range(40)))
    assert opened(tmp_path, mapping, path).header.settings.rounded == 5e-5
    path = put(tmp_path / "a.jsonl", *({"s": at, "g": 1, "a": at / 7} for at in range(40)))
    assert opened(tmp_path, mapping, path).header.settings.rounded == 0
    path = put(tmp_path / "a.jsonl", *({"s": at, "g": 1, "a": float(at)} for at in range(40)))
    assert opened(tmp_path, mapping, path).header.settings.rounded == 0


VERDICTS = """
each = ["response", "score", "pred_score"]
[columns]
step = 0
group = "idx"
prompt_text = "question"
completion_text = "response"
reward = "score"
"score.verifier" = "score"
"score.model" = "pred_score.0"
"""


def test_verdicts_and_reward_model_scores_of_eight_rollouts_a_prompt(tmp_path: Path, shared: Path) -> None:
    path = shared / "data/corpora/rl_verifier_robustness/math_cot_100.jsonl"
    run = opened(tmp_path, VERDICTS, path)
    assert (run.counts["rows"], run.counts["groups"]) == (800, 100)
    sizes = run.sql('SELECT DISTINCT count(*) FROM rollouts GROUP BY "group"')
    assert sizes == [(8,)]
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    verdicts = sum(sum(row["score"]) for row in rows)
    scores = sum(score for row in rows for (score,) in row["pred_score"])
    found = run.sql('SELECT sum("score.verifier"), sum("score.model"), count(DISTINCT prompt) FROM rollouts')[0]
    assert found[0] == verdicts
    assert found[1] == pytest.approx(scores, abs=1e-9)


TURNS = """
files = "ic_sql_multiturn_gpt-*_10_turns.json.gz"
each = ["turn_history.rewards", "turn_history.actions"]
[columns]
step = "@place"
group = "task_id"
reward = "turn_history.rewards"
prompt_text = "query"
completion_text = "turn_history.actions"
"extra.best" = "summary.max_reward"
"extra.model" = "@file"
"""


def test_rewards_of_every_turn_of_several_models(tmp_path: Path, shared: Path) -> None:
    folder = shared / "data/corpora/intercode"
    run = opened(tmp_path, TURNS, folder)
    turns = [
        task["turn_history"]["rewards"]
        for path in folder.glob("ic_sql_multiturn_gpt-*_10_turns.json.gz")
        for task in json.loads(gzip.decompress(path.read_bytes())).values()
    ]
    assert run.sql("SELECT step, count(*), sum(reward) FROM rollouts GROUP BY step ORDER BY step") == [
        (at + 1, len(one), pytest.approx(math.fsum(one)))
        for at, one in enumerate([[rewards[at] for rewards in turns if at < len(rewards)] for at in range(10)])
    ]
    assert max(size for (size,) in run.sql('SELECT count(*) FROM rollouts GROUP BY "group"')) == 2
    assert run.sql('SELECT count(*) FROM rollouts WHERE reward > "extra.best"') == [(0,)]
