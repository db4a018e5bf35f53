"""Exams of instruments for runs: what is planted in a record is found, and nothing where nothing is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lens.exam import Read, exams, exams_of
from lens.instrument import registry
from lens.planted import families
from lens.reading import Evidence, Label, Measured, Quantity, Subject
from lens.runs.planted import departure, leaf
from lens.runs.selection.rules import candidates
from lens.stats.scorecard import Marked, scorecard
from measure.calibrating import calibrate, evidence, stands
from measure.commands.calibrate import command
from measure.store import Made, Store

DATA = Path(__file__).parents[2] / "data"
EXAMS = exams_of("runs")
MADE = Made(time="2026-01-01T00:00:00Z", command="a test")


def test_every_exam_is_of_an_instrument_and_a_family_that_exist() -> None:
    assert {exam.instrument for exam in EXAMS.values()} <= set(registry("runs"))
    assert {exam.family for exam in EXAMS.values()} == set(families("runs"))


def test_no_two_exams_share_a_scorecard() -> None:
    by_kind = [exams_of(kind) for kind in ("graders", "models", "runs")]
    assert sum(map(len, by_kind)) == len(exams())
    assert not {exam.family for exam in EXAMS.values()} & {exam.family for exam in exams_of("graders").values()}


def test_a_series_has_a_seed_of_its_own_for_every_subject() -> None:
    units = EXAMS["transition~rise"].units()
    assert len(units) == len({seed for _, seed in units}) == 60 + 4 * 85
    assert EXAMS["transition~rise"].spec(*units[-1]) == "planted:rise?dose=8&seed=4084"


def test_cusum_fires_behind_the_onset_and_not_on_the_blip() -> None:
    mark = EXAMS["alarms~shift-cusum"].examine(4.0, 4002)
    assert mark.flagged
    assert mark.score > 5
    assert mark.decoy is False


def test_a_difference_does_not_see_a_level_that_stays() -> None:
    """What the card of the limit says."""
    exam = EXAMS["alarms~shift-backward-difference"]
    assert exam.limit
    assert not exam.examine(2.0, 3000).flagged


def test_an_alarm_before_the_onset_is_none_of_it() -> None:
    """With nothing planted every alarm is false; with an onset, one that came before it has not found it."""
    paths = {"series": ["reward", "reward"], "step": [120, 150], "cusum": [0.5, 2.0]}
    early = {"reward.cusum.alarm": Quantity(90, "step", "step")}
    told = {"dose": 1.0, "decoy": "entropy"}
    mark = EXAMS["alarms~shift-cusum"].mark
    found = mark(Read(early, {"paths": paths}, told))
    assert (found.score, found.flagged, found.decoy) == (2.0, False, False)
    assert mark(Read(early, {"paths": paths}, told | {"dose": 0.0})).flagged


def test_the_middle_of_a_rise_is_in_its_interval_and_a_line_has_none() -> None:
    mark = EXAMS["transition~rise"].examine(8.0, 4000)
    assert mark.flagged
    assert mark.decoy is False
    assert mark.low is not None
    assert mark.high is not None
    assert mark.low <= mark.truth <= mark.high
    assert mark.high - mark.low < 10
    assert not EXAMS["transition~rise"].examine(0.0, 3).flagged


def test_the_share_of_a_leaf_is_that_of_its_record(tmp_path: Path) -> None:
    """Against numpy on the same rollouts; a leaf that is the same inside every group has none."""
    made = leaf.plant(tmp_path, 0.3, 5)
    rows = made.subject.sql('SELECT "score.style", reward FROM rollouts ORDER BY row')
    style, reward = (np.array(column).reshape(-1, leaf.SHAPE[2]) for column in zip(*rows, strict=True))
    style = np.sqrt(0.3) * (style - style.mean(axis=1, keepdims=True))
    away = reward - reward.mean(axis=1, keepdims=True)
    mark = EXAMS["score-tree~leaf"].examine(0.3, 5)
    assert mark.score == pytest.approx(float((style * away).sum() / (away**2).sum()), rel=1e-9)
    assert mark.truth == 0.3
    assert mark.decoy is False


def test_silent_zeros_are_those_planted_and_no_other_failure() -> None:
    read = EXAMS["silent-zeros~lost"].read(0.1, 7)
    silent = read.quantity("silent")
    assert silent is not None
    assert silent.value == read.told["silent"] > 0
    assert EXAMS["silent-zeros~lost"].mark(read).decoy is False


def test_a_count_above_the_planted_one_is_the_decoy() -> None:
    read = Read({"silent": Quantity(3, "scores", "count", of=10)}, {}, {"dose": 0.1, "silent": 2})
    assert EXAMS["silent-zeros~lost"].mark(read).decoy


@pytest.mark.parametrize("seed", [0, 1, 2, 6])
def test_replay_names_the_planted_rule(seed: int) -> None:
    read = EXAMS["replay~departure"].read(0.0, seed)
    accepted = {f for f, ok in zip(read.tables["rules"]["family"], read.tables["rules"]["accepted"], strict=True) if ok}
    assert accepted == {read.told["rule"]}
    assert not EXAMS["replay~departure"].mark(read).flagged


def test_planted_rules_are_rules_of_the_instrument() -> None:
    known = {rule.family for rule in candidates(abstains=False, leaves=1, epsilon=None)}
    assert set(departure.RULES) <= known


def test_replay_misses_the_groups_that_depart_and_no_other() -> None:
    read = EXAMS["replay~departure"].read(0.1, 5)
    mark = EXAMS["replay~departure"].mark(read)
    assert mark.flagged
    assert mark.score == pytest.approx(read.told["departs"] / 128, abs=0.01)


def test_calibrate_lists_exams_of_three_kinds_and_runs_none(tmp_path: Path) -> None:
    result = CliRunner().invoke(command, ["--data", str(tmp_path / "data")])
    assert result.exit_code == 0
    listed = {line.split()[0]: line.split()[1] for line in result.output.splitlines()}
    assert listed == {name: exam.subjects for name, exam in exams().items()}
    assert not (tmp_path / "data").exists()


def test_a_series_becomes_a_scorecard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short one, on the engine: judged on what there is, which is too little for a pass, and that is told."""
    monkeypatch.setenv("EVIDENCE_LENS_CACHE", str(tmp_path / "cache"))
    exam = replace(EXAMS["silent-zeros~lost"], at_0=2, a_dose=1)
    store = Store.open(tmp_path / "data")
    card = calibrate(store, exam, workers=1, show=False)
    record = store.record("project/silent-zeros/scorecard~lost")
    assert isinstance(record.evidence.reading, Measured)
    passed = record.fields["passed"]
    assert isinstance(passed, Label)
    assert card.false_positives is not None
    assert (card.false_positives.k, card.false_positives.n, passed.value) == (0, 2, "no")
    assert "2 organisms at dose 0, of 60" in (passed.note or "")
    rows = store.table(record.id, "organisms").to_pylist()
    assert [row["organism"] for row in rows[:2]] == ["planted:lost?dose=0&seed=0", "planted:lost?dose=0&seed=1"]
    assert rows[-1]["score"] == exam.examine(0.3, 4000).score
    assert stands(store, exam)
    assert not stands(store, EXAMS["silent-zeros~lost"])


@pytest.mark.parametrize("false", [0, 9])
def test_trust_of_a_run_follows_from_the_card(tmp_path: Path, false: int) -> None:
    """An instrument that fires where nothing is planted fails, and its readings stay exploratory; on another kind of
    subject the card says nothing."""
    exam = EXAMS["silent-zeros~lost"]
    marks = [
        Marked(dose, dose + at / 1000, dose > 0 or at < false, dose, dose - 0.1, dose + (0.1 if at % 20 else -0.05))
        for dose in exam.doses
        for at in range(60)
    ]
    store = Store.open(tmp_path)
    held = {"silent": Quantity(1, "scores", "count", of=4)}
    read = [
        Evidence("silent-zeros", exam.found.version, Subject(kind, "some", "some", "f"), Measured(held, "silent", "-"))
        for kind in ("runs", "graders")
    ]
    store.write([(evidence(exam, scorecard(marks)), {}, MADE), *((one, {}, MADE) for one in read)])
    trust = store.trust("runs/some/silent-zeros")
    assert trust.level == ("exploratory" if false else "calibrated")
    assert ("failed its newest scorecard" in trust.why) == bool(false)
    assert store.trust("graders/some/silent-zeros").why.endswith("is calibrated on runs, read on graders")


@pytest.mark.parametrize("name", sorted(EXAMS))
def test_the_committed_series_is_measured_again_at_one_subject(name: str) -> None:
    store, exam = Store.open(DATA), EXAMS[name]
    assert stands(store, exam), f"lens calibrate {exam.instrument} --family {exam.family}"
    unit = exam.units()[-1]
    row = store.table(f"project/{exam.instrument}/scorecard~{exam.variant}", "organisms").to_pylist()[-1]
    mark = exam.examine(*unit)
    assert row["organism"] == exam.spec(*unit)
    assert (mark.flagged, mark.decoy) == (row["flagged"], row["decoy"])
    assert mark.score == pytest.approx(row["score"], rel=1e-6)
    assert mark.low == (None if row["low"] is None else pytest.approx(row["low"], rel=1e-6))
