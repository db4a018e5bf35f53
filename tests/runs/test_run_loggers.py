"""Loggers: one run through three of them gives one series; what a logger does to steps, samples and tables."""

from __future__ import annotations

import json
import shutil
import sqlite3
import struct
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.runs.adapters.tensorboard import _masked
from lens.runs.opening import open_run
from lens.runs.record import Record

LOGGERS = "data/runs/loggers"
SAME = ("reward", "reward_std", "grad_norm", "loss", "entropy", "rewards/letter_frac/mean", "completions/mean_length")


@pytest.fixture(autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path_factory.mktemp("cache")))


def put(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def codes(run: Record) -> list[str]:
    return [one.code for one in run.header.findings]


@pytest.mark.parametrize(
    ("logger", "where", "beside"),
    [
        ("tensorboard", "run_tensorboard/runs", "run_tensorboard"),
        ("trackio", "trackio", "run_trackio"),
        ("mlflow", "mlruns", "run_mlflow"),
    ],
)
def test_a_logger_holds_the_series_of_the_trainers_own_state(
    shared: Path, tmp_path: Path, logger: str, where: str, beside: str
) -> None:
    run = open_run(str(shared / LOGGERS / where))
    assert run.header.adapter == logger
    state = tmp_path / "state"
    shutil.copytree(shared / LOGGERS / beside / "checkpoint-6", state / "checkpoint-6")
    own = open_run(str(state))
    assert own.header.adapter == "trainer-state"
    mine, its = run.series(*SAME), own.series(*SAME)
    assert list(its) == [1, 2, 3, 4, 5, 6]
    for step, values in its.items():
        assert set(values) == set(SAME)
        assert {name: mine[step][name] for name in values} == pytest.approx(values, rel=1e-6)


def test_trackio_tables_are_the_rollouts_by_their_own_step(shared: Path) -> None:
    run = open_run(str(shared / LOGGERS / "trackio"))
    tables = open_run(str(shared / LOGGERS / "run_trackio"))
    ask = 'SELECT step, content, advantage, "score.letter_frac", "score.digit_gate" FROM rollouts ORDER BY row'
    assert run.sql(ask) == tables.sql(ask)
    assert run.header.settings.weights == tables.header.settings.weights
    assert codes(run).count("reused-rows") == 1  # the last table, written twice


def test_trackio_with_two_runs_or_damage_is_refused(shared: Path, tmp_path: Path) -> None:
    copy = tmp_path / "p.db"
    shutil.copy(shared / LOGGERS / "trackio/huggingface.db", copy)
    copy.chmod(0o644)
    with closing(sqlite3.connect(copy)) as database, database:
        database.execute("UPDATE metrics SET run_name = 'other' WHERE id < 5")
    with pytest.raises(UsageError, match="holds 2 runs"):
        open_run(str(copy))
    copy.write_bytes((shared / LOGGERS / "trackio/huggingface.db").read_bytes()[:30_000])
    with pytest.raises(UsageError):
        open_run(str(copy))


def test_mlflow_with_two_runs_asks_for_one_and_a_broken_line_is_named(shared: Path, tmp_path: Path) -> None:
    shutil.copytree(shared / LOGGERS / "mlruns", tmp_path / "mlruns")
    (run,) = [one for one in (tmp_path / "mlruns/0").iterdir() if one.is_dir()]
    metric = run / "metrics/reward"
    metric.chmod(0o644)
    metric.write_text("1 0.5 1\n1 half 2\n1 0.5 3\n")
    with pytest.raises(UsageError, match=r"reward:2: '1 half 2'"):
        open_run(str(tmp_path / "mlruns"))
    metric.write_text("1 0.5 1\n1 0.5")
    assert codes(open_run(str(tmp_path / "mlruns"))) == ["torn-line", "left-out"]
    run.parent.chmod(0o755)
    shutil.copytree(run, tmp_path / "mlruns/0/again")
    with pytest.raises(UsageError, match="2 MLflow runs"):
        open_run(str(tmp_path / "mlruns"))


def test_tensorboard_checks_every_record(shared: Path, tmp_path: Path) -> None:
    (events,) = (shared / LOGGERS / "run_tensorboard").rglob("events.out.tfevents.*")
    data = events.read_bytes()
    copy = tmp_path / events.name
    copy.write_bytes(data[:-7])
    assert codes(open_run(str(copy))) == ["torn-line"]
    middle = len(data) // 2
    copy.write_bytes(data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :])
    with pytest.raises(UsageError, match="checksum"):
        open_run(str(copy))


def test_the_checksum_is_castagnolis() -> None:
    """RFC 3720, B.4: 32 bytes of zeros have the CRC-32C 0x8A9136AA."""
    crc = 0x8A9136AA
    assert _masked(bytes(32)) == (((crc >> 15) | (crc << 17)) + 0xA282EAD8) & 0xFFFFFFFF


def test_a_plain_float_of_an_event_is_read(tmp_path: Path) -> None:
    value = b"\x0a\x06reward" + b"\x15" + struct.pack("<f", 0.5)
    event = b"\x10\x07" + b"\x2a" + bytes([len(value) + 2]) + b"\x0a" + bytes([len(value)]) + value
    size = struct.pack("<Q", len(event))
    frame = size + struct.pack("<I", _masked(size)) + event + struct.pack("<I", _masked(event))
    path = tmp_path / "events.out.tfevents.1.x"
    path.write_bytes(frame)
    assert open_run(str(path)).series() == {7: {"reward": 0.5}}


def case(shared: Path, id_: str) -> dict[str, Any]:
    cases = map(json.loads, (shared / "cases/runs.jsonl").read_text().splitlines())
    return next(one for one in cases if one["id"] == id_)


def test_case_wandb_history_sampled(tmp_path: Path, shared: Path) -> None:
    given = case(shared, "wandb_history_sampled")["input"]
    steps = [round(at * given["last_step"] / 499) for at in range(given["rows_returned"])]
    run = open_run(str(put(tmp_path / "history.jsonl", *({"_step": at, "reward": 0.5} for at in steps))))
    assert run.series() == {}
    assert "500 of 9,966" in run.header.gaps["series"].detail
    assert "scan_history()" in run.header.gaps["series"].remedy


def test_case_scan_history_keys_filter(tmp_path: Path, shared: Path) -> None:
    given = case(shared, "scan_history_keys_filter")
    run = open_run(str(put(tmp_path / "history.jsonl", *given["input"]["rows"])))
    found = [[step, values["reward"]] for step, values in run.series("reward").items()]
    assert found == given["right"]["reward"]


def test_wandb_tables_are_rollouts_and_the_last_one_twice_is_one(tmp_path: Path) -> None:
    columns = ["step", "prompt", "completion", "acc", "advantage"]
    rows = [[1, "p", "a", 1.0, 0.7], [1, "p", "b", 0.0, -0.7]]
    for at in (53, 55):
        put(tmp_path / f"media/table/completions_{at}_x.table.json", {"columns": columns, "data": rows})
    put(tmp_path / "history.jsonl", {"_step": 4, "train/global_step": 1, "train/rewards/acc/mean": 0.5})
    run = open_run(str(tmp_path))
    assert run.header.adapter == "wandb"
    assert (run.counts["rows"], run.header.leaves) == (2, ("acc",))
    assert codes(run).count("reused-rows") == 1
    assert run.series() == {1: {"rewards/acc/mean": 0.5}}


def test_wandb_csv_and_offline_runs(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("_step,train/reward,note\n0,0.5,x\n1,,y\n")
    assert open_run(str(tmp_path / "h.csv")).series() == {0: {"reward": 0.5}}
    offline = tmp_path / "o" / "run-1.wandb"
    offline.parent.mkdir()
    offline.write_bytes(b":W&B")
    with pytest.raises(UsageError, match="offline") as caught:
        open_run(str(offline.parent))
    assert "wandb sync" in caught.value.remedy


def test_openrlhf_samples_are_a_series_and_no_groups(tmp_path: Path) -> None:
    table = {"columns": ["global_step", "text", "reward"], "data": [[1, "x", 0.5], [2, "y", 1.0]]}
    run = open_run(str(put(tmp_path / "samples.table.json", table)))
    assert run.header.adapter == "openrlhf"
    assert run.series() == {1: {"sample/reward": 0.5}, 2: {"sample/reward": 1.0}}
    assert "lens.runs.tap" in run.header.gaps["rollouts"].remedy


def test_case_trackio_outer_step(shared: Path) -> None:
    right = case(shared, "trackio_outer_step")["right"]["step"]
    steps = [step for (step,) in open_run(str(shared / LOGGERS / "trackio")).sql("SELECT DISTINCT step FROM rollouts")]
    assert set(right) <= set(steps) == {1, 2, 3, 4, 5, 6}
