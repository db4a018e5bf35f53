"""`lens measure grader` from the command line: what it writes, what a second run does, and what stops it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from lens import instrument as registering
from lens.errors import LensError, UsageError
from lens.graders.audit import Audit
from lens.reading import Declined, Label, Measured, Quantity
from measure.commands.capabilities import command as capabilities
from measure.commands.grader import command as grader
from measure.commands.measure import command as measure
from measure.store import Store

GRADER = """
def grade(response, gold):
    return float(response.strip() == gold)
"""
QUICK = ("failure-semantics", "flakiness")


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A cache and a working directory of the test's own."""
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text(GRADER)
    golds = [{"gold": str(number)} for number in range(12, 40)]
    (tmp_path / "golds.jsonl").write_text("".join(json.dumps(row) + "\n" for row in golds))


def run(*words: str, command: Any = grader) -> Result:
    return CliRunner().invoke(command, list(words), catch_exceptions=True)


def audit(*words: str, names: tuple[str, ...] = QUICK) -> Result:
    named = [word for name in names for word in ("--instrument", name)]
    return run("mine.py:grade", "--corpus", "golds.jsonl", "--workers", "1", *named, *words)


def readings() -> dict[str, Any]:
    store = Store.open(Path("data"))
    return {id.removeprefix("graders/mine-grade/"): store.record(id).evidence for id in store.ids()}


def test_every_field_is_written_as_measured_and_as_the_log_shows_it() -> None:
    done = audit()
    assert done.exit_code == 0, done.output
    found = readings()
    assert set(found) == {
        "failure-semantics~golds", "failure-semantics~log", "flakiness~golds", "flakiness~log"
    }  # fmt: skip
    full = found["flakiness~golds"]
    assert isinstance(full.reading, Measured)
    assert full.varied == {"corpus": "golds"}
    assert full.access == ("gold.record", "grader.replicate", "grader.source")
    assert full.parameters["replicates"] == 5
    assert full.seed is None  # nothing in it was drawn
    isolation = full.reading.fields["isolation"]
    assert isinstance(isolation, Label)
    assert "network:" in isolation.value
    log = found["flakiness~log"].reading
    assert isinstance(log, Declined)
    assert (log.reason, log.needs, log.has) == ("access_insufficient", "grader.replicate", "grader.record")
    assert log.remedy == "lens measure grader mine.py:grade --corpus golds.jsonl"


def test_a_second_run_measures_nothing_and_writes_nothing() -> None:
    audit()
    before = {path: path.stat().st_mtime_ns for path in Path("data").rglob("*.json*")}
    again = audit()
    assert again.exit_code == 0
    assert "2 of these stood in the store already" in again.output
    assert {path: path.stat().st_mtime_ns for path in Path("data").rglob("*.json*")} == before


@pytest.mark.parametrize(
    "change",
    ["grader", "corpus", "version"],
)
def test_what_changed_underneath_is_measured_again(change: str, monkeypatch: pytest.MonkeyPatch) -> None:
    audit()
    if change == "grader":
        Path("mine.py").write_text(GRADER.replace("strip", "lstrip"))
    elif change == "corpus":
        Path("golds.jsonl").write_text('{"gold": "7"}\n{"gold": "8"}\n')
    else:
        bump(monkeypatch, "flakiness")
    again = audit(names=("flakiness",))
    assert "stood in the store already" not in again.output
    assert len(Store.open(Path("data")).history("graders/mine-grade/flakiness~golds")) == 2


def test_stale_records_are_measured_again_by_the_command_that_made_them() -> None:
    audit()
    Path("mine.py").write_text(GRADER.replace("strip", "lstrip"))
    done = run("--stale", command=measure)
    assert done.exit_code == 0, done.output
    assert "4 stale, 4 measured again" in done.output
    assert "0 stale" in run("--stale", command=measure).output


def test_an_instrument_that_raises_is_named_and_the_rest_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    replace_run(monkeypatch, "failure-semantics", lambda _: 1 / 0)
    done = audit()
    assert done.exit_code == 1
    assert "error: failure-semantics failed: ZeroDivisionError: division by zero" in done.output
    assert set(readings()) == {"flakiness~golds", "flakiness~log"}


def test_ctrl_c_keeps_what_is_finished_and_the_same_command_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(_: Audit) -> Measured:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        replace_run(patched, "flakiness", stop)
        stopped = audit()
        assert stopped.exit_code != 0
        assert set(readings()) == {"failure-semantics~golds", "failure-semantics~log"}
    done = audit()
    assert done.exit_code == 0
    assert "1 of these stood in the store already" in done.output
    assert len(readings()) == 4


def test_workers_do_not_change_what_is_measured() -> None:
    names = ("contract", "kill-matrix", "branch-coverage")
    digests = {}
    for workers in ("1", "2"):
        named = [word for name in names for word in ("--instrument", name)]
        done = run("mine.py:grade", "--corpus", "golds.jsonl", "--workers", workers, "--data", workers, *named)
        assert done.exit_code == 0, done.output
        digests[workers] = {line.id: line.digest for line in Store.open(Path(workers)).manifest()}
    assert digests["1"] == digests["2"]


def test_the_log_alone_declines_what_needs_the_grader_and_reads_what_a_record_holds() -> None:
    rows = [{"group": at // 4, "rewards": {"grade": float(at % 2)}} for at in range(16)]
    Path("run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = run("mine.py:grade", "--access", "log", "--record", "run.jsonl")
    assert done.exit_code == 0, done.output
    found = readings()
    assert all(id.endswith("~log") for id in found)
    zeros = found["silent-zeros~log"].reading
    assert isinstance(zeros, Measured)
    assert isinstance(zeros.fields["zeros"], Quantity)
    assert (zeros.fields["zeros"].value, zeros.fields["zeros"].of) == (8, 16)
    refused = [one.reading for one in found.values() if isinstance(one.reading, Declined)]
    assert refused
    for decline in refused:
        assert decline.remedy
        if decline.reason == "access_insufficient":
            assert decline.needs
            assert decline.has == "grader.record record.record"
            assert decline.remedy.startswith("lens measure grader mine.py:grade")


def test_a_record_is_read_at_both_access_levels() -> None:
    Path("run.jsonl").write_text('{"group": 1, "rewards": {"grade": 0}}\n{"group": 1, "rewards": {"grade": 1}}\n')
    done = audit("--record", "run.jsonl", names=("silent-zeros",))
    assert done.exit_code == 0, done.output
    found = readings()
    assert set(found) == {"silent-zeros", "silent-zeros~log"}  # no corpus in it: it reads none
    assert found["silent-zeros"].reading == found["silent-zeros~log"].reading
    assert [one.name for one in found["silent-zeros"].inputs] == ["run"]


def test_a_record_of_another_layout_is_named_by_its_mapping() -> None:
    """As turns of several attempts are: a list of rewards a row."""
    rows = [
        {"task": at, "turns": {"rewards": [0.0, 0.0, float(at % 2)], "actions": ["a", "b", str(at)]}}
        for at in range(20)
    ]
    Path("turns.json").write_text(json.dumps(rows))
    columns = 'step = "@place"\ngroup = "task"\nreward = "turns.rewards"\ncompletion_text = "turns.actions"\n'
    Path("turns.toml").write_text(f'each = ["turns.rewards", "turns.actions"]\n[columns]\n{columns}')
    done = audit("--record", "turns.json", "--map", "turns.toml", names=("silent-zeros", "group-size"))
    assert done.exit_code == 0, done.output
    found = readings()
    zeros = found["silent-zeros"].reading
    assert isinstance(zeros, Measured)
    assert isinstance(zeros.fields["zeros"], Quantity)
    assert (zeros.fields["zeros"].value, zeros.fields["zeros"].of) == (50, 60)
    assert found["group-size"].inputs[0].locator == "run:turns.json --map turns.toml"


BAD = {
    "unknown built-in": (["verl-gsm8"], "did you mean verl-gsm8k"),
    "no such file": (["nowhere.py:grade"], "no file"),
    "no such function": (["mine.py:grades"], "did you mean grade"),
    "no such instrument": (["mine.py:grade", "--instrument", "flakyness"], "did you mean flakiness"),
    "missing corpus": (["mine.py:grade", "--corpus", "nowhere.jsonl"], "nowhere.jsonl"),
    "unknown corpus": (["mine.py:grade", "--corpus", "gsm9k"], "gsm8k"),
    "empty corpus": (["mine.py:grade", "--corpus", "empty.jsonl"], "no rows"),
    "half a row": (["mine.py:grade", "--corpus", "half.jsonl"], "2"),
    "columns that don't fit": (["mine.py:grade", "--corpus", "columns.jsonl"], "colour"),
    "missing record": (["mine.py:grade", "--record", "nowhere.jsonl"], "no run at"),
    "a mapping of nothing": (["mine.py:grade", "--map", "run.toml"], "--map names the columns of a record"),
    "can't be imported": (["broken.py:grade"], "KeyError: 'seven'"),
    "ends on import": (["exits.py:grade"], "import"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_request_that_cant_be_met_says_why_and_leaves_nothing(case: str) -> None:
    Path("empty.jsonl").write_text("")
    Path("half.jsonl").write_text('{"gold": "7"}\n{"gold": \n')
    Path("columns.jsonl").write_text('{"colour": "red", "size": 3}\n')
    Path("broken.py").write_text("TABLE = {}['seven']\ndef grade(response, gold):\n    return 1\n")
    Path("exits.py").write_text("import os\nos._exit(3)\ndef grade(response, gold):\n    return 1\n")
    words, says = BAD[case]
    done = run(*words)
    assert isinstance(done.exception, (UsageError, LensError)), done.output
    assert done.exception.exit_code == 2
    assert says in str(done.exception)
    assert not Path("data").exists()


def test_capabilities_open_the_subject_and_spend_nothing_on_the_store() -> None:
    told = run("mine.py:grade", "--corpus", "golds.jsonl", "--json", command=capabilities)
    assert told.exit_code == 0, told.output
    fields = {field["name"]: field for field in json.loads(told.output)["fields"]}
    assert fields["flakiness"]["reads"]
    assert fields["flakiness"]["cpu_seconds"] > 0
    assert fields["silent-zeros"]["reason"] == "access_insufficient"
    assert fields["silent-zeros"]["needs"] == "record.record"
    assert "--record" in fields["silent-zeros"]["remedy"]
    assert fields["curl-mass"]["reason"] == "not_applicable"
    assert not Path("data").exists()
    text = run("mine.py:grade", "--corpus", "golds.jsonl", command=capabilities).output
    assert "reads now" in text
    assert "does not read" in text


def bump(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """Another version of one instrument."""
    from dataclasses import replace

    known = dict(registering.registry("graders"))
    known[name] = replace(known[name], version=known[name].version + 1)
    monkeypatch.setattr("measure.measuring.registry", lambda _: known)


def replace_run(monkeypatch: pytest.MonkeyPatch, name: str, run: Any) -> None:
    """Another function behind one instrument."""
    from dataclasses import replace

    known = dict(registering.registry("graders"))
    known[name] = replace(known[name], run=run)
    monkeypatch.setattr("measure.measuring.registry", lambda _: known)
