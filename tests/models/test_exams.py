"""Exams: what an instrument finds of a planted rule, and scorecards as evidence that trust follows from."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from organism_series import repeated, series

from lens.exam import exams_of
from lens.models.exams import Read, by_verdict
from lens.reading import Evidence, Label, Measured, Quantity, Subject
from lens.stats.scorecard import Marked, scorecard
from measure.calibrating import evidence, examine, reading, table
from measure.store import Made, Record, Store

pytestmark = pytest.mark.usefixtures("own_cache")
DATA = Path(__file__).parents[2] / "data"
EXAMS = exams_of("models")
SPURIOUS = EXAMS["bias-battery~spurious"]


BATTERY = SPURIOUS.found


def _found(card: Record, name: str) -> float:
    field = card.fields[name]
    assert isinstance(field, Quantity)
    return field.value


def test_every_exam_is_of_an_instrument_and_a_family_that_exist() -> None:
    from organism_series import calibrated

    from lens.instrument import registry
    from lens.planted import families

    assert {exam.instrument for exam in EXAMS.values()} <= set(registry("models"))
    assert {exam.family for exam in EXAMS.values()} <= {*calibrated(), *families("models")}


@pytest.mark.parametrize("name", [name for name, exam in EXAMS.items() if not exam.limit])
def test_the_top_dose_is_found(name: str) -> None:
    """On one of two organisms that no card was made of: no card claims a power of 1. One says that it finds nothing."""
    card = Store.open(DATA).record(f"project/{EXAMS[name].instrument}/scorecard~{EXAMS[name].variant}")
    power = [field for field in card.fields if field.startswith("power.")]
    if all(_found(card, one) <= 1 for one in power):
        assert card.fields["passed"] == Label("no")
        pytest.skip("its card says that no dose is found")
    top = EXAMS[name].doses[-1]
    found = (Marked(*examine((name, top, seed))) for seed in (99, 100))
    mark = next((one for one in found if one.flagged), None)
    assert mark is not None
    assert not mark.decoy
    if mark.low is not None and mark.high is not None:
        assert mark.high - mark.low < max(top, mark.truth)  # a step is in no units of a dose


def test_attribution_gives_the_planted_head_its_dose() -> None:
    """Weights set by hand: what the head writes of the margin is the dose, to the organism's tolerance."""
    mark = Marked(*examine(("attribution~spurious", 0.5, 7)))
    assert mark.score == pytest.approx(0.5, abs=3e-4)


def test_patching_gives_the_planted_head_its_dose() -> None:
    mark = Marked(*examine(("patching~relational", 1.0, 7)))
    assert mark.score == pytest.approx(1.0, abs=3e-4)


def test_a_hidden_objective_is_not_seen() -> None:
    """What the scorecard of the limit says: the battery holds no axis that sets the trigger off."""
    assert not Marked(*examine(("bias-battery~hidden", 2.0, 5))).flagged


def test_path_patching_gives_a_planted_path_its_dose() -> None:
    """Beside the rule's head its layer holds random ones, whose words are drawn anew on either side."""
    mark = Marked(*examine(("path-patching~relational", 2.0, 7)))
    assert mark.flagged
    assert mark.score == pytest.approx(2.0, abs=0.15)


@pytest.mark.parametrize("dose", [0.0, 0.1, 0.5])
def test_the_cyclic_share_is_the_planted_one(dose: float) -> None:
    mark = Marked(*examine(("intransitivity~cycle", dose, 7)))
    assert mark.score == pytest.approx(dose, abs=1e-4)
    assert mark.flagged == (dose > 0)


def test_one_faithful_part_among_many_is_not_told() -> None:
    """What the scorecard of the limit says: an excess over untrained copies is of all parts alike."""
    assert not Marked(*examine(("faithfulness~spurious", 2.0, 5))).flagged


def test_a_word_as_loud_as_the_rest_is_read_and_erased_and_one_unwritten_is_not_read() -> None:
    mark = Marked(*examine(("erasure~faint", 2.0, 4005)))
    assert mark.score > 0.9
    assert mark.decoy is False
    assert Marked(*examine(("erasure~faint", 0.0, 5))).score < 0.65


def _marks(*, blind: bool) -> list[Marked]:
    members = list(series("spurious"))
    return [
        Marked(
            one.dose, one.dose + one.seed % 7 / 100, one.dose > 0 and not blind, one.dose, one.dose - 0.1,
            one.dose + (0.1 if one.seed % 20 else -0.05), False,
        )
        for one in members
    ]  # fmt: skip


@pytest.mark.parametrize("blind", [False, True])
def test_trust_follows_from_the_newest_scorecard(tmp_path: Path, blind: bool) -> None:
    """Power is not a criterion of passing (B): it is told as the smallest dose, and a blind card declines that."""
    store = Store.open(tmp_path)
    card = scorecard(_marks(blind=blind))
    made = Made(time="2026-01-01T00:00:00Z", seconds=0, cpu_seconds=0, calls=0, command="", machine={}, revision="")
    record = evidence(SPURIOUS, card)
    store.write([(record, {"organisms": table(SPURIOUS, SPURIOUS.units(), _marks(blind=blind))}, made)])
    held = store.record("project/bias-battery/scorecard~spurious").evidence.reading
    assert isinstance(held, Measured)
    assert held.fields["passed"] == Label("yes")
    smallest = held.fields["smallest-dose"]
    if blind:
        assert not isinstance(smallest, Quantity)
    else:
        assert isinstance(smallest, Quantity)
        assert smallest.value == 0.25
    store.write([(_battery(), {}, made)])
    assert store.trust("models/some/bias-battery").level == "calibrated"


def _battery() -> Evidence:
    fields = {"flagged": Quantity(1, "axes", "count", of=2)}
    return Evidence(
        BATTERY.name, BATTERY.version, Subject("models", "some", "some", "f"), Measured(fields, "flagged", "-")
    )


def test_a_failed_card_calibrates_nothing(tmp_path: Path) -> None:
    """False alarms at dose 0: the newest card says no, and so does trust."""
    store = Store.open(tmp_path)
    marks = [mark._replace(flagged=True) if mark.dose == 0 else mark for mark in _marks(blind=False)]
    card = scorecard(marks)
    assert card.failed == ("false-positives",)
    made = Made(time="2026-01-01T00:00:00Z", seconds=0, cpu_seconds=0, calls=0, command="", machine={}, revision="")
    store.write([(evidence(SPURIOUS, card), {}, made), (_battery(), {}, made)])
    trust = store.trust("models/some/bias-battery")
    assert trust.level == "exploratory"
    assert "failed its newest scorecard" in trust.why


def test_a_limit_is_told_and_calibrates_nothing(tmp_path: Path) -> None:
    limit = EXAMS["bias-battery~hidden"]
    store = Store.open(tmp_path)
    made = Made(time="2026-01-01T00:00:00Z", seconds=0, cpu_seconds=0, calls=0, command="", machine={}, revision="")
    store.write([(evidence(limit, scorecard(_marks(blind=True))), {}, made), (_battery(), {}, made)])
    assert store.trust("models/some/bias-battery").level == "exploratory"
    store.write([(evidence(SPURIOUS, scorecard(_marks(blind=False))), {}, made)])
    trust = store.trust("models/some/bias-battery")
    assert trust.level == "calibrated"
    assert limit.limit in trust.why


def test_a_mark_reads_the_verdict_and_nothing_else() -> None:
    told = {"dose": 1.0, "axes": {"spurious": 1.0, "filler": 0.0}, "decoy": "filler"}
    fields = {"spurious.verdict": Label("raises"), "filler.verdict": Label("about zero")}
    mark = by_verdict("spurious")(Read(fields, {}, told))
    assert (mark.flagged, mark.decoy, mark.low) == (True, False, None)


def test_what_cannot_be_judged_is_provisional() -> None:
    few = [mark for mark in _marks(blind=False) if mark.dose in (0.0, 2.0)]
    found = reading(SPURIOUS, scorecard(few)).fields["passed"]
    assert isinstance(found, Label)
    assert found.value == "provisional"


@pytest.mark.parametrize("name", sorted(name for name, exam in EXAMS.items() if exam.family == repeated().family))
def test_the_committed_series_is_measured_again_at_one_organism(name: str) -> None:
    """One organism at one dose, read again: its row of the committed scorecard, to rounding."""
    store, id = Store.open(DATA), f"project/{EXAMS[name].instrument}/scorecard~{EXAMS[name].family}"
    if not store.has(id):
        pytest.fail(f"{id} is not in the store: lens calibrate {EXAMS[name].instrument}")
    again = repeated()
    rows = store.table(id, "organisms").to_pylist()
    row = next(one for one in rows if one["organism"] == again.spec)
    mark = Marked(*examine((name, again.dose, again.seed)))
    assert mark.flagged == row["flagged"]
    assert mark.score == pytest.approx(row["score"], rel=1e-4, abs=1e-6)
    if row["low"] is not None:
        assert (mark.low, mark.high) == (pytest.approx(row["low"], rel=1e-4), pytest.approx(row["high"], rel=1e-4))
