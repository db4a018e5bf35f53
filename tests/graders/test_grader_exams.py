"""Exams of instruments for graders: a planted defect is counted on the golds it acts on, and on no other."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from lens.exam import Read, exams_of
from lens.graders.exams._counts import any_other, counted, elsewhere
from lens.instrument import registry
from lens.planted import families, find_family
from lens.reading import Interval, Quantity
from measure.calibrating import stands
from measure.store import Store

DATA = Path(__file__).parents[2] / "data"
EXAMS = exams_of("graders")


def _count(k: int, n: int) -> Quantity:
    return Quantity(k, "golds", "count", of=n, interval=Interval(k / n - 0.1, k / n + 0.1, "wilson"))


def test_every_exam_is_of_an_instrument_and_a_family_that_exist() -> None:
    assert {exam.instrument for exam in EXAMS.values()} <= set(registry("graders"))
    assert {exam.family for exam in EXAMS.values()} == set(families("graders"))


DEFECTS = sorted(
    name
    for name, one in families("graders").items()
    if not {"lens.graders.planted._forms", "lens.graders.planted._logged"} & {*one.code}
)


@pytest.mark.parametrize("family", DEFECTS)
def test_the_answer_key_is_the_grader_s_own(family: str, tmp_path: Path) -> None:
    """The file says on which golds its defect acts, and is careful with the oracle on the others."""
    made = find_family("graders", family).plant(tmp_path, 0.3, 5)
    golds = [item.gold for item in made.subject.source.items]
    code = f"import planted; print([planted.acts(gold) for gold in {golds}], [planted.careful('#### ' + gold, gold)"
    code += f" for gold in {golds}] == [1.0] * {len(golds)}, planted.careful('#### 7', '8'))"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split("] ") == [str(made.told["acting"])[:-1], "True 0.0\n"]
    assert 0 < sum(made.told["acting"]) < len(golds)


@pytest.mark.parametrize("name", ["exploits~guesses", "variants~refusal", "metamorphic~refusal"])
def test_a_defect_is_counted_on_the_golds_it_acts_on(name: str) -> None:
    exam = EXAMS[name]
    read = exam.read(0.3, 7)
    mark, found = exam.mark(read), read.quantity(exam.quantity)
    assert found is not None
    assert mark.score == sum(read.told["acting"]) / len(read.told["acting"]) > 0
    assert mark.flagged
    assert mark.decoy is False


@pytest.mark.parametrize("name", ["flakiness~coin", "determinism~coin"])
def test_tosses_show_where_they_decide_and_nowhere_else(name: str) -> None:
    exam = EXAMS[name]
    read = exam.read(0.6, 7)
    mark = exam.mark(read)
    assert mark.flagged
    assert mark.decoy is False
    assert 0 < mark.score <= sum(read.told["acting"]) / len(read.told["acting"])
    assert read.word("consumes-random") != "no global generator advances"


@pytest.mark.parametrize("name", ["exploits~guesses", "determinism~coin"])
def test_nothing_is_flagged_where_nothing_acts(name: str) -> None:
    mark = EXAMS[name].examine(0.0, 3)
    assert (mark.flagged, mark.score, mark.decoy, mark.low) == (False, 0.0, False, None)


def test_a_decoy_is_another_field_that_counts() -> None:
    fields = {"a.paid": _count(2, 4), "b.paid": _count(0, 4), "paid": _count(2, 4)}
    decoy = any_other("", ".paid", "a.paid")
    assert not decoy(Read(fields, {}, {}))
    assert decoy(Read(fields | {"b.paid": _count(1, 4)}, {}, {}))


def test_a_row_on_which_nothing_acts_is_a_decoy() -> None:
    told = {"acting": [True, False, True]}
    flips = {"row": [0, 1, 2], "verdicts": [2, 1, 1]}
    assert not elsewhere("verdicts")(Read({}, {"rows": flips}, told))
    assert elsewhere("verdicts")(Read({}, {"rows": flips | {"verdicts": [1, 2, 1]}}, told))
    assert elsewhere("replay-differs")(Read({}, {"rows": {"row": [1], "replay-differs": [True]}}, told))


def test_an_interval_is_judged_at_positive_doses_alone() -> None:
    mark = counted("flips", lambda _: False, shown=0.5)
    found = mark(Read({"flips": _count(1, 4)}, {}, {"dose": 0.4}))
    assert (found.truth, found.score, found.low, found.high) == (0.2, 0.25, 0.15, 0.35)
    assert mark(Read({"flips": _count(1, 4)}, {}, {"dose": 0.0})).low is None
    assert counted("flips", lambda _: False, judged=False)(Read({"flips": _count(1, 4)}, {}, {"dose": 0.4})).low is None


def test_an_exponent_is_the_planted_one() -> None:
    mark = EXAMS["time-growth~slow"].examine(1.0, 3000)
    assert mark.flagged
    assert mark.score == pytest.approx(mark.truth, abs=0.3)
    assert mark.truth == 2


@pytest.mark.parametrize("name", sorted(EXAMS))
def test_the_committed_series_is_of_these_graders(name: str) -> None:
    """And its largest dose is measured again at one grader; tosses fall anew each time, but for the session's seed."""
    store, exam = Store.open(DATA), EXAMS[name]
    assert stands(store, exam), f"lens calibrate {exam.instrument} --family {exam.family}"
    unit = exam.units()[-1]
    row = store.table(f"project/{exam.instrument}/scorecard~{exam.variant}", "organisms").to_pylist()[-1]
    mark = exam.examine(*unit)
    assert (row["organism"], row["flagged"]) == (exam.spec(*unit), mark.flagged)
    if exam.found.repeatable:
        assert (row["score"], row["decoy"]) == (pytest.approx(mark.score), mark.decoy)
    else:
        assert row["score"] == pytest.approx(mark.score, rel=0.2)
