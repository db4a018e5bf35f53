"""A grader that hangs or dies is not waited for at length again: its audit says so and goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from audits import answered, planted

from lens.graders.corpus import Row
from lens.graders.sandbox.limits import HURRY_AFTER, Limits
from lens.graders.sandbox.session import Session
from lens.reading import Declined, Measured
from measure.opening import opened
from measure.request import Request

HALF = """
def grade(response, gold):
    while response.endswith("!"):
        pass
    return float(response == gold)
"""


def rows(count: int) -> list[Row]:
    """Every second one hangs."""
    return [Row(at, f"{at}" + "!" * (at % 2), f"{at}", True) for at in range(count)]


def test_a_session_gives_up_after_so_many_time_outs_in_all(tmp_path: Path) -> None:
    audit = planted(tmp_path, HALF, [])
    with Session(audit.subject, Limits(cpu=0.05, patience=2)) as session:
        outcomes = session.evaluate(rows(60))
    late = [outcome for outcome in outcomes if outcome.status == "timeout" and outcome.type != "not asked"]
    assert len(late) == 10  # five times its patience
    assert [outcome.score for outcome in outcomes[:20:2]] == [1.0] * 10
    assert {outcome.type for outcome in outcomes[20:]} == {"not asked"}


def test_an_audit_hurries_once_a_grader_has_shown_that_it_hangs(tmp_path: Path) -> None:
    from dataclasses import replace

    audit = planted(tmp_path, HALF, answered(["7"]))
    audit.subject = replace(audit.subject, limits=Limits(cpu=0.05))
    audit.evaluate(rows(2 * HURRY_AFTER - 2))
    assert audit.subject.limits == Limits(cpu=0.05)
    audit.evaluate(rows(2 * HURRY_AFTER))
    assert audit.subject.limits == Limits(cpu=0.05, silence=3.0, patience=6)


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
