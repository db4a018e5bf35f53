"""Loggers: one run through three of them gives one series; what a logger does to steps, samples and tables."""

from __future__ import annotations

import json
import math
import shutil
import sqlite3
import struct
import zlib
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lens.errors import UsageError
from lens.runs.adapters.tensorboard import _masked
from lens.runs.formats.logged import Logged
from lens.runs.opening import fingerprint_here, open_run
from lens.runs.record import Record
from lens.runs.writer import Writer

LOGGERS = "data/runs/loggers"
WANDB = Path(__file__).parent / "fixtures/wandb_log"


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
    mine, its = run.series(), own.series()
    assert list(mine) == list(its) == [1, 2, 3, 4, 5, 6]
    for step, values in its.items():
        assert {"reward", "grad_norm", "rewards/letter_frac/mean", "epoch"} < set(values)
        assert mine[step] == (pytest.approx(values, rel=1e-6) if logger == "tensorboard" else values)
    said = run.header.settings
    assert (said.group_size, said.max_grad_norm, said.beta, said.scale) == (4, 1.0, 0.0, "group")
    assert "beta is 0" in run.header.gaps["kl"].detail
    assert said.weights == ({"letter_frac": 1.0, "digit_gate": 0.5} if logger == "trackio" else None)


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
        database.execute("UPDATE metrics SET run_id = 'x', run_name = 'other' WHERE id > 8")
    with pytest.raises(UsageError, match="holds 2 runs: m, other") as caught:
        open_run(str(copy))
    assert caught.value.remedy == f"name one of them: lens measure run '{copy}::m'"
    one, other = open_run(f"{copy}::m"), open_run(f"{copy}::other")
    assert (one.name, list(one.series()), list(other.series())) == ("m", [1], [2, 3, 4, 5, 6])
    assert one.header.fingerprint != other.header.fingerprint
    assert fingerprint_here(f"{copy}::m") == one.header.fingerprint
    with pytest.raises(UsageError, match="no run 'third'"):
        open_run(f"{copy}::third")
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
    with pytest.raises(UsageError, match="mlruns holds 2 runs") as caught:
        open_run(str(tmp_path / "mlruns"))
    assert caught.value.remedy.endswith(f"mlruns::{run.name}'")
    assert open_run(f"{tmp_path / 'mlruns'}::again").series("reward") == {1: {"reward": 0.5}}


def test_a_metric_under_another_name_is_another_run(shared: Path, tmp_path: Path) -> None:
    shutil.copytree(shared / LOGGERS / "mlruns", tmp_path / "mlruns")
    before = fingerprint_here(str(tmp_path / "mlruns"))
    (metrics,) = (tmp_path / "mlruns").glob("0/*/metrics")
    metrics.chmod(0o755)
    (metrics / "reward_std").rename(metrics / "reward_t")
    assert fingerprint_here(str(tmp_path / "mlruns")) != before
    assert "reward_t" in open_run(str(tmp_path / "mlruns")).series()[1]


def test_mlflows_database(tmp_path: Path) -> None:
    """Columns as MLflow 3.18 makes them."""
    path = tmp_path / "mlflow.db"
    with closing(sqlite3.connect(path)) as database, database:
        database.executescript(
            "CREATE TABLE runs (run_uuid, name, lifecycle_stage, start_time);"
            "CREATE TABLE metrics (key, value FLOAT, timestamp, run_uuid, step, is_nan);"
            "CREATE TABLE params (key, value, run_uuid);"
            "INSERT INTO runs VALUES ('x', 'one', 'active', 1), ('y', 'two', 'active', 2), ('z', 'gone', 'deleted', 0);"
            "INSERT INTO params VALUES ('num_generations', '4', 'x'), ('max_grad_norm', '0.5', 'x')"
        )
        rows = [("reward", 0.5, 3, "x", 2, 0), ("reward", 0.25, 2, "x", 2, 0), ("kl", 0.0, 2, "x", 2, 1),
                ("loss", 1.7976931348623157e308, 2, "x", 1, 0), ("reward", 9.0, 9, "y", 1, 0)]  # fmt: skip
        database.executemany("INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?)", rows)
    with pytest.raises(UsageError, match="holds 2 runs: one, two"):
        open_run(str(tmp_path))
    run = open_run(f"{tmp_path}::one")
    assert run.header.adapter == "mlflow"
    assert math.isnan(run.series()[2].pop("kl"))
    assert run.series("reward", "loss") == {1: {"loss": math.inf}, 2: {"reward": 0.5}}
    assert (run.header.settings.group_size, run.header.settings.max_grad_norm) == (4, 0.5)
    assert codes(run) == ["repeated-step"]
    path.write_bytes(path.read_bytes()[:9000])
    with pytest.raises(UsageError, match=r"mlflow\.db"):
        open_run(f"{path}::one")


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


def scalar(step: int, tag: bytes, value: float) -> bytes:
    """An event with one plain float, framed."""
    one = b"\x0a" + bytes([len(tag)]) + tag + b"\x15" + struct.pack("<f", value)
    return framed(b"\x10" + bytes([step]) + b"\x2a" + bytes([len(one) + 2]) + b"\x0a" + bytes([len(one)]) + one)


def framed(event: bytes) -> bytes:
    size = struct.pack("<Q", len(event))
    return size + struct.pack("<I", _masked(size)) + event + struct.pack("<I", _masked(event))


def test_a_plain_float_of_an_event_is_read_and_an_image_passed_over(tmp_path: Path) -> None:
    image = struct.pack("<Q", 2 << 20)
    image = image + struct.pack("<I", _masked(image)) + bytes(2 << 20) + bytes(4)
    path = tmp_path / "events.out.tfevents.1.x"
    path.write_bytes(scalar(7, b"reward", 0.5) + image + scalar(8, b"reward", 0.25))
    assert open_run(str(path)).series() == {7: {"reward": 0.5}, 8: {"reward": 0.25}}
    path.write_bytes(scalar(7, b"reward", 0.5) + image[:-9])
    run = open_run(str(path))
    assert (run.series(), codes(run)) == ({7: {"reward": 0.5}}, ["torn-line"])


def test_a_resumed_run_keeps_what_it_went_on_from(tmp_path: Path) -> None:
    (tmp_path / "events.out.tfevents.1.x").write_bytes(
        scalar(1, b"kl", 0.5) + scalar(2, b"kl", 1) + scalar(3, b"kl", 2)
    )
    (tmp_path / "events.out.tfevents.2.x").write_bytes(scalar(2, b"kl", 1) + scalar(3, b"kl", 4) + scalar(4, b"kl", 8))
    run = open_run(str(tmp_path))
    assert {step: values["kl"] for step, values in run.series().items()} == {1: 0.5, 2: 1.0, 3: 4.0, 4: 8.0}
    (told,) = run.header.findings
    assert (told.code, told.detail.split(":")[0]) == (
        "repeated-step", "1 steps are written again with other numbers, step 3 first",
    )  # fmt: skip
    for at in (1, 2):
        (tmp_path / f"{at}").mkdir()
        (tmp_path / f"events.out.tfevents.{at}.x").rename(tmp_path / f"{at}/events.out.tfevents.{at}.x")
    with pytest.raises(UsageError, match="events in 2 folders: 1, 2"):
        open_run(str(tmp_path))


def test_names_are_the_trainers(tmp_path: Path) -> None:
    writer, log = Writer(tmp_path, tmp_path), Logged()
    for name in ("train/epoch", "train/loss", "eval/loss", "train/kl", "kl", "train/total_flos", "profiling/x"):
        log.add(1, name, 0.5)
    log.write(writer)
    assert [name for _, name, _ in writer._series] == ["epoch", "loss", "eval_loss", "train/kl", "kl"]
    assert [one.code for one in writer.findings] == ["left-out"]
    other = Logged()
    other.add(1, "eval/score", 0.5)
    other.write(writer)
    assert writer._series[-1] == (1, "eval/score", 0.5)


def state(path: Path, rows: list[dict[str, Any]], config: dict[str, Any] | None = None) -> Path:
    (path / "checkpoint-2").mkdir(parents=True)
    (path / "checkpoint-2/trainer_state.json").write_text(json.dumps({"log_history": rows}))
    if config is not None:
        (path / "grpo_config.json").write_text(json.dumps({"num_generations": 4, "scale_rewards": "group"} | config))
    return path


def test_weights_of_a_sorted_log_are_known_only_where_they_are_alike(tmp_path: Path) -> None:
    rows = [{"step": 1, "epoch": 0.1, "rewards/b/mean": 0.5, "rewards/a/mean": 0.25, "reward": 0.5}]
    unlike = open_run(str(state(tmp_path / "unlike", rows, {"reward_weights": [1.0, 0.5]})))
    assert unlike.header.settings.weights is None
    alike = open_run(str(state(tmp_path / "alike", rows, {"reward_weights": [0.5, 0.5]})))
    assert alike.header.settings.weights == {"a": 0.5, "b": 0.5}


def test_a_trainers_log_of_anything_is_series(tmp_path: Path) -> None:
    rows = [{"step": 1, "epoch": 0.1, "loss": 0.0}, {"step": 2, "epoch": 0.2, "kl": None, "eval_loss": 0.5},
            {"step": 2, "epoch": 0.2, "train_runtime": 3.0, "train_loss": 0.1}]  # fmt: skip
    run = open_run(str(state(tmp_path / "run", rows)))
    assert run.header.adapter == "trainer-state"
    assert run.series() == {1: {"epoch": 0.1, "loss": 0.0}, 2: {"epoch": 0.2, "eval_loss": 0.5}}
    assert "log_completions=True" in run.header.gaps["rollouts"].remedy
    (tmp_path / "rows.json").write_text(json.dumps([{"step": 1, "reward": 0.5}]))
    with pytest.raises(UsageError, match="no format known"):
        open_run(str(tmp_path / "rows.json"))


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


def test_wandb_rows_that_a_filter_or_a_sample_left_are_told(tmp_path: Path) -> None:
    left = open_run(str(put(tmp_path / "left.jsonl", *({"_step": at, "reward": 0.5, "kl": 0.1} for at in (2, 3, 9)))))
    assert codes(left) == ["series-gap"]
    assert "3 of W&B's 8 steps" in left.header.findings[0].detail
    assert list(left.series()) == [2, 3, 9]
    even = open_run(str(put(tmp_path / "even.jsonl", *({"_step": 10 * at, "reward": 0.5} for at in range(500)))))
    assert (codes(even), len(even.series())) == ([], 500)
    few = open_run(str(put(tmp_path / "few.jsonl", *({"_step": at + (at > 200), "kl": 0.5} for at in range(500)))))
    assert "500 of 500" in few.header.gaps["series"].detail


def test_wandb_steps_are_the_trainers_where_rows_tell_them(tmp_path: Path) -> None:
    rows = [{"_step": 0, "mine": 1.0}, {"_step": 1, "train/global_step": 10, "train/kl": "NaN", "t._type": "table-file",
             "t.nrows": 8}]  # fmt: skip
    run = open_run(str(put(tmp_path / "history.jsonl", *rows)))
    assert list(run.series()) == [10]
    assert math.isnan(run.series()[10]["kl"])
    (told,) = run.header.findings
    assert (told.code, told.detail) == ("unplaced-numbers", "mine: rows that don't tell the trainer's step")
    with pytest.raises(UsageError, match=r"history\.jsonl:1: step 0\.5 is no whole number"):
        open_run(str(put(tmp_path / "half/history.jsonl", {"_step": 0, "global_step": 0.5, "kl": 1.0})))


def test_wandb_tables_without_a_history_and_cells_as_text(tmp_path: Path) -> None:
    columns = ["step", "prompt", "completion", "acc", "n", "advantage"]
    rows = [["1", "p", "NaN", 1.0, 3, 0.7], ["1", "p", "b", "NaN", 4, -0.7]]
    put(tmp_path / "media/table/completions_1_x.table.json", {"columns": columns, "data": rows})
    run = open_run(str(tmp_path))
    assert codes(run) == ["leaves-guessed"]
    assert run.header.leaves == ("acc",)
    assert run.sql('SELECT step, "score.acc", "extra.n" FROM rollouts ORDER BY row') == [(1, 1.0, 3.0), (1, None, 4.0)]
    assert run.sql("SELECT completion FROM texts ORDER BY row") == [("NaN",), ("b",)]


def test_wandb_csv(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("_step,train/reward,note\n0,0.5,x\n1,,y\n")
    assert open_run(str(tmp_path / "h.csv")).series() == {0: {"reward": 0.5}}


def test_wandbs_own_log_is_the_trainers(tmp_path: Path) -> None:
    """What wandb wrote under TRL, beside what the trainer itself logged."""
    (log,) = WANDB.glob("*/*.wandb")
    run = open_run(str(log.parent))
    rows = [row for row in json.loads((WANDB / "log_history.json").read_text()) if "train_runtime" not in row]
    assert run.series() == {row["step"]: {name: row[name] for name in row if name != "step"} for row in rows}
    assert run.header.settings.weights == {"a_count": 1.0, "digits": 0.5}
    assert (run.counts["rows"], run.header.trained) == (16, 16)
    assert codes(run) == ["reused-rows", "order"]
    means = run.sql('SELECT step, avg("score.digits"), avg("score.a_count") FROM rollouts GROUP BY step ORDER BY step')
    assert [(step, pytest.approx(digits), count) for step, digits, count in means] == [
        (row["step"], row["rewards/digits/mean"], row["rewards/a_count/mean"]) for row in rows
    ]
    shutil.copytree(log.parent, tmp_path / "wandb" / log.parent.name)
    assert open_run(str(tmp_path)).series() == open_run(str(log)).series() == run.series()
    shutil.copytree(log.parent, tmp_path / "wandb/run-20261130_070430-second")
    with pytest.raises(UsageError, match="holds 2 wandb runs"):
        open_run(str(tmp_path))


def test_wandbs_own_log_damaged(tmp_path: Path) -> None:
    (log,) = WANDB.glob("*/*.wandb")
    data, copy = log.read_bytes(), tmp_path / "run-x.wandb"
    copy.write_bytes(data[:-9])
    assert codes(open_run(str(copy))) == ["torn-line"]
    copy.write_bytes(data[:9000] + bytes([data[9000] ^ 1]) + data[9001:])
    with pytest.raises(UsageError, match=r"run-x\.wandb: the piece at byte \d+ fails its checksum"):
        open_run(str(copy))
    copy.write_bytes(b":W&B\xe1\xbe\x09" + data[7:])
    with pytest.raises(UsageError, match="no wandb log of a version") as caught:
        open_run(str(copy))
    assert "wandb sync" in caught.value.remedy


def test_wandb_records_go_on_in_the_next_block(tmp_path: Path) -> None:
    """Two records of 20,000 bytes: the second lies in two blocks, and what is left of the first is in the first."""
    item = lambda key, value: wire(1, wire(2, key) + wire(16, value))  # noqa: E731
    records = [
        wire(
            2,
            item(b"_step", b"%d" % step) + item(b"kl", b"%d" % (step + 5)) + item(b"note", b'"' + b"x" * 20_000 + b'"'),
        )
        for step in (0, 1)
    ]
    made = bytearray(b":W&B\xe1\xbe\x00")
    for record in records:
        first = True
        while record or first:
            room = 32_768 - len(made) % 32_768
            if room < 7:
                made += bytes(room)
                continue
            piece, record = record[: room - 7], record[room - 7 :]
            kind = (1 if first else 4) if not record else (2 if first else 3)
            made += struct.pack("<IHB", zlib.crc32(bytes([kind]) + piece), len(piece), kind) + piece
            first = False
    path = tmp_path / "run-x.wandb"
    path.write_bytes(made)
    assert open_run(str(path)).series() == {0: {"kl": 5.0}, 1: {"kl": 6.0}}
    path.write_bytes(made[:32_768])
    assert (open_run(str(path)).series(), codes(open_run(str(path)))) == ({0: {"kl": 5.0}}, ["torn-line"])


def wire(field: int, value: bytes) -> bytes:
    """A field of bytes, as a protocol buffer has it."""
    made = bytearray()
    for number in (field << 3 | 2, len(value)):
        while number > 127:
            made.append(number & 127 | 128)
            number >>= 7
        made.append(number)
    return bytes(made) + value


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
