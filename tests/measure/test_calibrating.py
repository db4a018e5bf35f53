"""Scorecards as they are written: what their fields say of the marks, and an old card judged again from its own."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import card_evidence
import msgspec
import pytest
from card_evidence import EXAM, PASSED

from lens.exam import Exam, exams
from lens.reading import Declined, Label, Measured, Quantity
from lens.stats.scorecard import Marked
from measure import calibrating
from measure.calibrating import VERSION, calibrate, judged_again, stands
from measure.store import Record, Store


def written(root: Path, exam: Exam = EXAM, marks: list[Marked] | None = None) -> Record:
    store = Store.open(root / "data")
    store.write([card_evidence.item(exam, marks)])
    return store.record(PASSED)


def test_decoys_and_intervals_stand_dose_by_dose_and_add_up(tmp_path: Path) -> None:
    fields = written(tmp_path).fields
    for head in ("decoys", "coverage"):
        each = [one for name, one in fields.items() if name.startswith(f"{head}.")]
        whole = fields[head]
        assert isinstance(whole, Quantity)
        assert len(each) == 4
        assert sum(one.value for one in each if isinstance(one, Quantity)) == whole.value
        assert sum(one.of or 0 for one in each if isinstance(one, Quantity)) == whole.of
    doses = {name: one.value for name, one in fields.items() if name.startswith("dose.") and isinstance(one, Quantity)}
    assert doses == {"dose.0-02": 0.02, "dose.0-05": 0.05, "dose.0-1": 0.1, "dose.0-3": 0.3}


def test_the_range_is_that_of_the_scores(tmp_path: Path) -> None:
    fields, scores = written(tmp_path).fields, [mark.score for mark in card_evidence.marks()]
    assert fields["range.of"] == Label("silent")
    assert fields["range.low"] == Quantity(min(scores), "of scores", "score")
    assert fields["range.high"] == Quantity(max(scores), "of scores", "score")
    assert fields["interval.of"] == Label("silent", "of scores")


@pytest.mark.parametrize(
    ("up_to", "says"),
    [(0.1, "some doses are flagged on nine tenths of their organisms, but the largest is not"), (0.0, "no dose of")],
)
def test_without_a_smallest_dose_it_says_why(tmp_path: Path, up_to: float, says: str) -> None:
    marks = [mark._replace(flagged=mark.flagged and mark.dose <= up_to) for mark in card_evidence.marks()]
    smallest = written(tmp_path, marks=marks).fields["smallest-dose"]
    assert isinstance(smallest, Declined)
    assert smallest.detail.startswith(says)


def test_a_blind_spot_and_a_score_in_no_field_have_no_range(tmp_path: Path) -> None:
    assert "range.of" not in written(tmp_path / "a", replace(EXAM, limit="what nobody planted")).fields
    assert "range.of" not in written(tmp_path / "b", replace(EXAM, size=None)).fields


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("bias-battery~spurious", "ru"),
        ("score-tree~leaf", "of the variance in groups"),
        ("time-growth~slow", "exponent"),
        ("transition~rise", "step"),
        ("exploits~guesses", "of probes"),
    ],
)
def test_intervals_are_in_the_unit_of_what_is_marked(tmp_path: Path, name: str, unit: str) -> None:
    exam = exams()[name]
    made = [Marked(dose, dose, dose > 0, dose, dose - 1, dose + 1) for dose, _ in exam.units()]
    evidence = calibrating.evidence(exam, card_evidence.card(made))
    assert isinstance(evidence.reading, Measured)
    assert evidence.reading.fields["interval.of"] == Label(exam.quantity, unit)


def test_every_size_is_of_a_field_and_has_a_unit() -> None:
    sized = {name: exam.size for name, exam in exams().items() if exam.size is not None}
    assert len(sized) > 10
    assert all(size.unit and size.fields.strip("|") and not size.fields.startswith("|") ^ size.fields.endswith("|")
               for size in sized.values())  # fmt: skip


def test_an_earlier_card_is_judged_again_from_its_marks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store.open(tmp_path / "data")
    evidence, tables, made = card_evidence.item()
    assert isinstance(evidence.reading, Measured)
    late = ("decoys.", "coverage.", "dose.", "range.", "interval.")
    kept = {name: one for name, one in evidence.reading.fields.items() if not name.startswith(late)}
    earlier = msgspec.structs.replace(evidence, version=1, reading=Measured(kept, "passed", evidence.reading.scope))
    store.write([(earlier, tables, made)])
    assert not stands(store, EXAM)

    def nothing(*_: object) -> None:
        raise AssertionError("an organism was read")

    monkeypatch.setattr(Exam, "examine", nothing)
    card = calibrate(store, EXAM, show=False)
    assert card.passed
    assert stands(store, EXAM)
    found = store.record(PASSED)
    assert (found.evidence.version, found.evidence.parameters) == (VERSION, EXAM.parameters())
    assert kept.items() <= found.fields.items()
    assert found.fields["range.of"] == Label("silent")
    assert store.table(PASSED, "organisms").to_pydict() == tables["organisms"]
    assert (found.made.calls, found.made.seconds, found.made.command) == (made.calls, made.seconds, made.command)
    assert found.made.time > made.time
    assert judged_again(store, EXAM) is None  # it stands, and nothing is written twice


def test_a_card_of_other_organisms_is_not_judged_again(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "data")
    evidence, tables, made = card_evidence.item()
    other = msgspec.structs.replace(evidence, version=1, parameters={**evidence.parameters, "planted": "0" * 16})
    store.write([(other, tables, made)])
    assert judged_again(store, EXAM) is None
    assert judged_again(Store.open(tmp_path / "none"), EXAM) is None
