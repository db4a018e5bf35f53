"""A grader that hangs, dies or is slow is not waited for at length again: its audit is a sample and says so."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from audits import answered, fields, planted, value

from lens.graders.audit import Audit
from lens.graders.corpus import Row
from lens.graders.instruments.contract import contract_of
from lens.graders.instruments.sensitivity import sensitivity
from lens.graders.instruments.time_growth import time_growth
from lens.graders.outcome import Outcome
from lens.graders.patience import PROVEN, Patience
from lens.graders.sandbox.limits import Limits
from lens.graders.sandbox.process import Fault, Worker
from lens.graders.sandbox.session import Session
from lens.graders.thin import Thinned, draw, sized, thin
from lens.reading import Declined, Label, Measured, Quantity
from measure.opening import opened
from measure.request import Request

HALF = """
def grade(response, gold):
    while response.endswith("!"):
        pass
    return float(response == gold)
"""
HASHED = """
import hashlib, re
def grade(response, gold):
    if hashlib.sha256(str(response).encode("utf8", "replace")).digest()[0] % 4 == 0:
        while True:
            pass
    found = re.findall("-?[0-9.,]+", str(response))
    return float(bool(found) and found[-1].strip(".,").replace(",", "") == str(gold))
"""


def rows(count: int) -> list[Row]:
    """Every second one hangs."""
    return [Row(at, f"{at}" + "!" * (at % 2), f"{at}", True) for at in range(count)]


def test_a_session_gives_up_after_so_many_time_outs_in_all(tmp_path: Path) -> None:
    audit = planted(tmp_path, HALF, [])
    with Session(audit.subject, Limits(cpu=0.05, patience=2)) as session:
        outcomes = session.evaluate(rows(60))
    assert [outcome.status for outcome in outcomes[:20]] == ["value", "timeout"] * 10  # five times its patience
    assert [outcome.score for outcome in outcomes[:20:2]] == [1.0] * 10
    assert {(outcome.status, outcome.type) for outcome in outcomes[20:]} == {("unasked", "timeout")}


def test_a_worker_is_renewed_after_so_many_calls(tmp_path: Path) -> None:
    counting = "n = 0\ndef grade(response, gold):\n    global n\n    n += 1\n    return n\n"
    audit = planted(tmp_path, counting, [])
    with Session(audit.subject, Limits(calls=3)) as session:
        outcomes = session.evaluate(rows(7))
    assert [outcome.value for outcome in outcomes] == [1, 2, 3, 1, 2, 3, 1]


def test_time_is_cut_to_a_multiple_of_what_answered_calls_take_once_two_have_timed_out() -> None:
    patience, full = Patience(), Limits()
    for _ in range(98):
        patience.answered(0.001, 0.001)
    for _ in range(2):
        patience.answered(0.15, 0.1)
    patience.answered(2.0, 1.5, first=True)
    for _ in range(PROVEN):
        assert patience.limits(full) == full
        patience.timed_out(10.0)
    given = patience.limits(full)
    assert (given.cpu, given.silence, given.first) == (pytest.approx(2.0), pytest.approx(3.0), 3.0)
    assert given.hurried(1.0, 1.0, 1.0) == given  # cut once
    assert given.followed().cpu == 10.0
    patience.timed_out(0.3)
    assert (patience.asked, patience.late, patience.cut, patience.lost) == (104, 3, 1, 0.3)


def test_quick_graders_are_given_a_floor() -> None:
    patience = Patience()
    patience.answered(1e-5, 1e-5)
    for _ in range(PROVEN):
        patience.timed_out(10.0)
    given = patience.limits(Limits())
    assert (given.cpu, given.silence, given.followed().cpu) == (0.25, 1.0, 0.25)


def test_a_slow_grader_is_told_from_a_quick_one_by_its_latest_calls() -> None:
    told: list[str] = []
    patience = Patience(told.append)
    for _ in range(100):
        patience.answered(0.01, 0.01)
    assert not patience.strained
    patience.answered(1.0, 0.0, first=True)
    for _ in range(24):
        patience.answered(1.0, 0.0)
    assert patience.slow
    assert patience.each == pytest.approx(1.0)
    assert patience.why == told[-1].replace(told[-1].split()[-2], "1")
    assert not patience.slows
    assert patience.limits(Limits()) == Limits()  # it may take its time
    assert len(told) == 1


def test_one_that_slows_down_call_by_call_is_taken_at_its_slowest() -> None:
    patience = Patience()
    for number in range(200):
        patience.answered(0.002 * number, 0.002 * number)
    slowest = sum(0.002 * number for number in range(176, 200)) / 24
    for number in range(50):  # quick again in a new worker
        patience.answered(0.002 * number, 0.002 * number)
    assert patience.slow
    assert patience.slows
    assert patience.each == pytest.approx(slowest)
    assert patience.limits(Limits()) == Limits(calls=24)


def test_a_time_out_is_no_verdict_of_its_own_kind() -> None:
    late, other = Outcome("timeout", "cpu"), Outcome("timeout", "silence")
    assert late.verdict == other.verdict
    assert not late.answered
    assert not Outcome("unasked", "timeout").answered
    assert Outcome("exit", "code 7").answered


def test_sizes_lie_between_the_least_and_the_whole() -> None:
    assert [sized(100, 12, part) for part in (0.0, 0.5, 1.0)] == [12, 56, 100]
    assert sized(5, 12, 0.0) == 5


def test_a_sample_is_seeded_and_leaves_no_relation_out() -> None:
    whole = [Row(at, f"{at}", "7", relation=f"r{at % 5}", cluster=f"{at // 5}") for at in range(100)]
    sample = draw(whole, 10, 0)
    assert sample == draw(whole, 10, 0)
    assert sample != draw(whole, 10, 1)
    assert sorted(row.relation for row in sample) == sorted(2 * [f"r{at}" for at in range(5)])
    assert [row.number for row in sample] == sorted(row.number for row in sample)
    near = draw(whole, 10, 0, {"3", "4"})
    assert {row.cluster for row in near} == {"3", "4"}


def test_nothing_is_thinned_for_a_grader_that_answers(tmp_path: Path) -> None:
    audit = planted(tmp_path, HALF, answered([str(at) for at in range(200)]))
    audit.evaluate(rows(1))
    thin(audit)
    assert audit.thinned is None
    assert len(audit.corpora["gold"].rows) == 200
    assert audit.sized(500, 3) == 500


def test_corpora_are_cut_to_what_can_be_waited_for(tmp_path: Path) -> None:
    audit = planted(tmp_path, HALF, answered([str(at) for at in range(200)]))
    audit.wait = 30.0
    for _ in range(50):
        audit.patience.answered(0.001, 0.001)
        audit.patience.timed_out(1.0)
    audit.memo.update({key: ([], {}, {}) for key in ("derived", "derived elsewhere")})
    whole = audit.corpora["gold"]
    thin(audit)
    assert audit.thinned is not None
    assert audit.thinned.kept == {"gold": (10, 200)}
    assert audit.thinned.words == "a seeded sample, since 50 % of calls time out: 10 of 200 rows of gold"
    assert {row.number for row in audit.corpora["gold"].rows} < {row.number for row in whole.rows}
    assert audit.corpora["gold"].source_digest != whole.source_digest


def strained(audit: Audit) -> Audit:
    """An audit of which half the calls so far timed out."""
    for _ in range(20):
        audit.patience.answered(0.001, 0.001)
        audit.patience.timed_out(1.0)
    audit.thinned = Thinned(0.0, audit.patience.each, audit.patience.why, {})
    return audit


def test_no_exponent_is_fitted_to_a_grader_that_hangs_whatever_the_length(tmp_path: Path) -> None:
    audit = strained(planted(tmp_path, HALF, answered(["7", "8", "9"])))
    found = fields(time_growth(audit))
    assert value(found["digits.exponent"]) == value(found["worst.exponent"]) == "assumption_violated"
    assert value(found["worst.family"]) == "unclosed-answer-tag"
    assert getattr(found["p50"], "n", 0) == 2  # of three golds


def test_a_field_that_can_not_ask_less_names_the_option_that_lets_it(tmp_path: Path) -> None:
    golds = answered(["7", "8"], weight=[0.1, 0.9])
    declined = sensitivity(strained(planted(tmp_path, HALF, golds)))
    assert isinstance(declined, Declined)
    assert declined.reason == "budget_exceeded"
    assert declined.detail.startswith("1,024 calls would take about ")
    assert declined.detail.endswith("50 % of calls time out")
    assert " --wait " in declined.remedy


HANGING = ("contract", "corpus-adequacy", "metamorphic", "variants", "exploits", "determinism")


@pytest.fixture(scope="module")
def hanging(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Audit, dict[str, Any], int]]:
    """An audit of a grader that hangs on a quarter of what it is asked, its readings, and the time-outs it took."""
    folder = tmp_path_factory.mktemp("hanging")
    (folder / "half.py").write_text(HASHED)
    golds = [{"gold": str(number)} for number in range(12, 112)]
    (folder / "golds.jsonl").write_text("".join(json.dumps(row) + "\n" for row in golds))
    spent = 0
    receive = Worker.receive

    def counted(worker: Worker, cpu: float, silence: float) -> list[Any]:
        nonlocal spent
        try:
            return receive(worker, cpu, silence)
        except Fault as fault:
            spent += fault.outcome.status == "timeout"
            raise

    request = Request(f"{folder / 'half.py'}:grade", (str(folder / "golds.jsonl"),), instruments=HANGING, wait=20.0)
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("EVIDENCE_LENS_CACHE", str(folder / "cache"))
        patched.setattr(Worker, "receive", counted)
        patched.setattr("lens.graders.sandbox.limits._LEAST", 0.05)
        patched.setattr("lens.graders.subject.Limits", lambda: replace(Limits(), cpu=0.5))
        with opened(request, folder / "data", workers=1) as auditing:
            ending = auditing.run(show=False)
            assert ending.failed == {}
            evidence = {
                name: auditing.store.record(auditing.id(instrument)).evidence
                for name, instrument in auditing.chosen.items()
            }
            yield auditing.audit, evidence, spent


def test_a_hanging_audit_stays_within_its_time_outs(hanging: tuple[Audit, dict[str, Any], int]) -> None:
    audit, _, spent = hanging
    assert PROVEN < spent <= 130  # of some 8,000 questions of which a quarter hang
    assert audit.thinned is not None
    assert audit.thinned.part == 0.0
    assert audit.thinned.kept["gold"] == (10, 100)


def test_every_affected_field_says_what_happened(hanging: tuple[Audit, dict[str, Any], int]) -> None:
    audit, evidence, _ = hanging
    asked, timed_out = 0, 0
    for name in HANGING:
        reading = evidence[name].reading
        assert isinstance(reading, Measured), name
        late = reading.fields["timed-out"]
        assert isinstance(late, Quantity)
        asked, timed_out = asked + (late.of or 0), timed_out + late.value
        assert reading.fields["sample"] == Label(audit.thinned.words if audit.thinned else "")
        assert evidence[name].parameters["wait"] == 20.0
    assert 0.15 < timed_out / asked < 0.35


def test_a_hanging_row_is_no_reject(hanging: tuple[Audit, dict[str, Any], int]) -> None:
    _, evidence, _ = hanging
    identity = evidence["variants"].reading.fields["reject.identity"]
    assert (identity.value, 0 < identity.of < 10) == (0, True)  # those of the 10 golds that were answered
    paid = evidence["contract"].reading.fields["oracle-paid"]
    assert paid.value == paid.of
    same = evidence["determinism"].reading.fields["replay-differences"]
    assert same.value == 0


def test_a_grader_that_hangs_on_everything_has_a_contract_that_says_so(tmp_path: Path) -> None:
    audit = planted(tmp_path, "def grade(response, gold):\n    while True:\n        pass\n", answered(["7"]))
    audit.subject = replace(audit.subject, limits=Limits(cpu=0.05))
    found = fields(contract_of(audit))
    assert value(found["returns"]) == "timeout cpu"
    assert value(found["shape"]) == value(found["oracle-paid"]) == value(found["raised"]) == "assumption_violated"
    assert audit.patience.late <= 22  # twelve in a row, and one whenever it is asked again


def test_a_grader_that_never_answers_is_described_and_declined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "dies.py"
    path.write_text("import os\ndef grade(response, gold):\n    os._exit(7)\n")
    golds = tmp_path / "golds.jsonl"
    golds.write_text("".join(f'{{"gold": "{at}"}}\n' for at in range(6)))
    names = ("contract", "kill-matrix", "flakiness", "failure-semantics")
    with opened(Request(f"{path}:grade", (str(golds),), instruments=names), tmp_path / "data", workers=1) as auditing:
        ending = auditing.run(show=False)
    assert ending.failed == {}
    for name in ("kill-matrix", "flakiness"):
        reading = ending.written[name]
        assert isinstance(reading, Declined)
        assert reading.reason == "assumption_violated"
        assert "exit code 7" in reading.detail
    how = ending.written["failure-semantics"]
    assert isinstance(how, Measured)
    assert getattr(how.fields["mode"], "value", "") == "does not come back: exit code 7"
