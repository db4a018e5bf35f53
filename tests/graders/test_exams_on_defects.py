"""Exams on planted graders: the count is that of the grader's own file, called here, and no other defect's."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from lens.access import Access
from lens.exam import Read, exams_of
from lens.graders.exams import failure_semantics_fails_raised as raised
from lens.graders.exams import failure_semantics_fails_swallowed as swallowed
from lens.graders.exams import kill_matrix_untested as untested
from lens.graders.exams._logged import LoggedExam
from lens.graders.instruments.failure_semantics import REFERENCES, RESPONSES
from lens.instrument import registry
from lens.planted import Made, find_family
from lens.reading import Quantity

EXAMS = exams_of("graders")


def planted(family: str, folder: Path, dose: float, seed: int) -> tuple[Made, ModuleType]:
    """The subject, and its file as a module."""
    made = find_family("graders", family).plant(folder, dose, seed)
    spec = importlib.util.spec_from_file_location(f"planted_{family}", folder / "planted.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return made, module


@pytest.mark.parametrize(("family", "right"), [("strict", True), ("lax", False)])
def test_misjudged_answers_are_those_of_the_file(family: str, right: bool, tmp_path: Path) -> None:
    made, module = planted(family, tmp_path, 0.3, 5)
    answers = made.subject.source.rollouts
    wrong = [module.grade(one.body, one.gold) != float(bool(one.label)) for one in answers]
    assert all(one.label is right for one, missed in zip(answers, wrong, strict=True) if missed)
    mark = EXAMS[f"rollouts~{family}"].examine(0.3, 5)
    assert mark.score == sum(wrong) / (len(answers) / 2) > 0
    assert (mark.flagged, mark.decoy, mark.truth) == (True, False, 0.15)


def test_the_oracle_is_paid_by_a_grader_that_misjudges_real_answers(tmp_path: Path) -> None:
    made, module = planted("strict", tmp_path, 0.6, 5)
    assert all(module.grade(f"#### {item.gold}", item.gold) == 1.0 for item in made.subject.source.items)


def test_exceptions_that_come_out_and_those_kept_in_are_told_apart(tmp_path: Path) -> None:
    made, module = planted("fails", tmp_path, 0.2, 5)
    rows = made.subject.gold().spread(3)
    asked = [(odd, row.gold) for row in rows for odd in RESPONSES.values()]
    asked += [(row.response, odd) for row in rows for odd in REFERENCES.values()]
    places = [module.fate(*one) for one in asked]
    out, kept = EXAMS["failure-semantics~fails-raised"], EXAMS["failure-semantics~fails-swallowed"]
    assert len(asked) == 81
    assert out.examine(0.2, 5).score == sum(place < 0.2 for place in places) / 81 > 0
    assert kept.examine(0.2, 5).score == sum(place >= 0.8 for place in places) / 81 > 0
    assert (out.examine(0.2, 5).decoy, kept.examine(0.2, 5).decoy) == (False, False)


def test_an_exception_counted_on_the_wrong_side_is_the_decoy() -> None:
    told = {"dose": 0.1, "inside": "LookupError"}
    probes = {"way": ["raised", "zero"], "type": ["LookupError", ""], "inside": ["LookupError", ""]}
    assert raised.kept(Read({}, {"probes": probes}, told))
    assert not raised.kept(Read({}, {"probes": probes | {"way": ["zero", "zero"]}}, told))
    counted = {"swallowed": Quantity(2, "probes", "count", of=2)}
    assert swallowed.came_out(Read(counted, {"probes": probes}, told))
    assert not swallowed.came_out(Read(counted, {"probes": probes | {"inside": ["LookupError"] * 2}}, told))


def test_a_column_has_the_planted_share_and_its_twin_none() -> None:
    exam = EXAMS["sensitivity~mixed"]
    read = exam.read(0.3, 5)
    mark, twin, rest = exam.mark(read), read.quantity("width.total"), read.quantity("effort.total")
    assert mark.score == pytest.approx(0.3, abs=0.03)
    assert twin is not None
    assert rest is not None
    assert twin.value == 0.0
    assert rest.value == pytest.approx(0.7, abs=0.03)
    assert (mark.flagged, mark.decoy) == (True, False)


def test_golds_whose_own_answer_is_refused_are_not_paid() -> None:
    exam = EXAMS["contract~spurned"]
    read = exam.read(0.3, 7)
    mark = exam.mark(read)
    assert mark.score == pytest.approx(sum(read.told["acting"]) / 24)
    assert (mark.flagged, mark.decoy, mark.truth) == (True, False, 0.7)


def test_answers_in_other_words_tell_a_grader_from_equality() -> None:
    """They stand in every second row of the corpus; the same answers without wrong ones tell no constant apart."""
    exam = EXAMS["corpus-adequacy~respelled"]
    read = exam.read(0.3, 7)
    mark = exam.mark(read)
    assert mark.score == sum(read.told["acting"][::2]) / 120
    assert (mark.flagged, mark.decoy, mark.truth) == (True, False, 0.15)


def test_mutants_survive_in_the_forms_that_no_row_tests() -> None:
    """Four of each: it never pays, it pays at the head alone, it pays the bare word, it pays another word."""
    exam = EXAMS["kill-matrix~untested"]
    read = exam.read(0.4, 900_001)
    mark, table = exam.mark(read), read.tables["mutants"]
    alive = [name for name, row in zip(table["function"], table["gold"], strict=True) if row < 0]
    assert sorted(set(alive)) == sorted(read.told["untested"])
    assert len(alive) == 4 * len(read.told["untested"]) > 0
    assert mark.score == pytest.approx(len(alive) / len(table["mutant"]))
    assert (mark.flagged, mark.decoy) == (True, False)


def test_a_mutant_that_survives_in_a_tested_form_is_the_decoy() -> None:
    told = {"dose": 0.1, "untested": ["about"]}
    table = {"function": ["about", "plain"], "gold": [-1, 3]}
    assert not untested.elsewhere(Read({}, {"mutants": table}, told))
    assert untested.elsewhere(Read({}, {"mutants": table | {"gold": [3, -1]}}, told))


def test_what_is_broken_in_one_of_two_copies_is_no_blind_spot() -> None:
    exam = EXAMS["survivors~overlooked"]
    read = exam.read(0.4, 900_001)
    mark, table = exam.mark(read), read.tables["survivors"]
    classes = {}
    for name, kind in zip(table["function"], table["class"], strict=True):
        classes.setdefault(name, set()).add(kind)
    assert set(classes) == {"plain", "again", *read.told["untested"]}
    assert classes["plain"] == classes["again"] == {"not-told-apart"}
    assert all("blind-spot" in classes[name] for name in read.told["untested"])
    assert (mark.flagged, mark.decoy) == (True, False)


LOGGED = sorted(name for name, exam in EXAMS.items() if isinstance(exam, LoggedExam))


@pytest.mark.parametrize("name", LOGGED)
def test_a_grader_s_record_is_read_as_the_run_s(name: str) -> None:
    """Field by field, and marked alike; another kind of subject has a card of its own."""
    exam = EXAMS[name]
    of_runs = exams_of("runs")[name.replace("~log-", "~")]
    ours, theirs = exam.read(0.1, 7), of_runs.read(0.1, 7)
    assert ours.fields == theirs.fields
    assert exam.mark(ours) == of_runs.mark(theirs)
    assert exam.mark(ours).score > 0
    assert exam.parameters()["subjects"] == "graders"
    assert exam.variant != of_runs.variant


def test_every_instrument_that_reads_a_grader_s_record_is_marked() -> None:
    assert {EXAMS[name].instrument for name in LOGGED} == {
        instrument.name
        for instrument in registry("graders").values()
        if instrument.needs == Access.parse("record.record")
    }


@pytest.mark.parametrize(
    "name",
    [
        "contract~spurned",
        "corpus-adequacy~respelled",
        "kill-matrix~untested",
        "survivors~overlooked",
        "failure-semantics~fails-raised",
        "failure-semantics~fails-swallowed",
        "rollouts~lax",
        "rollouts~strict",
        "sensitivity~mixed",
    ],
)
def test_nothing_is_found_in_a_careful_grader(name: str) -> None:
    mark = EXAMS[name].examine(0.0, 3)
    assert (mark.flagged, mark.score, mark.decoy, mark.low) == (False, 0.0, False, None)
