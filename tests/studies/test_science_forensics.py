"""Forensics: what is paid, and what is made of what six policies say."""

from __future__ import annotations

import random

import pytest

from lens.runs.organism.task import Problem
from lens.studies.sciences import _receipts, forensics
from lens.studies.sciences._receipts import CELLS, FINE, Cell, Rates, Said, paid, read

FALSE, TRUE, SILENT = Said(False, "false"), Said(True, "true"), Said(True, "none")


def made(
    monkeypatch: pytest.MonkeyPatch, rates: dict[str, tuple[float, float, float]], **plant: float
) -> dict[str, float]:
    """What is measured where cells have these shares of silence and falsity where the verifier looks, and of falsity
    where it doesn't; others are like the unfined one."""
    found = {
        cell.name: {"looked": Rates(0.5, absent, false, absent + 0.05), "other": Rates(0.5, 0.0, other, 0.0)}
        for cell in CELLS
        for absent, false, other in [rates.get(cell.name, (0.1, 0.6, 0.6))]
    }
    found["untrained"] = {half: Rates(0.5, 0.5, 0.3, 0.5) for half in ("looked", "other")}
    monkeypatch.setattr(_receipts, "trained", lambda seed: found)
    return {name: value for name, value in forensics.measure(3, plant).items() if value is not None}


def test_a_receipt_is_true_by_its_subtraction_whatever_the_sum() -> None:
    problem = Problem(34, 27)
    assert read("62=28", problem) == Said(False, "true")
    assert read("62=27", problem) == Said(False, "false")
    assert read("61=28", problem) == Said(True, "false")
    assert read("61,62", problem) == Said(False, "none")


def test_false_receipts_are_believed_where_nobody_looks() -> None:
    for cell in CELLS:
        assert paid([FALSE] * 4, [False] * 4, cell, random.Random(0)) == [0.5] * 4


def test_yoked_fines_are_as_many_at_the_same_problems() -> None:
    said = [FALSE, TRUE, TRUE, SILENT, *[TRUE] * 4]
    sums = {}
    for fines in ("none", "caught", "yoked"):
        rewards = paid(said, [True] * 8, Cell(False, fines), random.Random(1))
        sums[fines] = sum(rewards[:4]), sum(rewards[4:])
    assert sums["caught"] == sums["yoked"] == (sums["none"][0] - FINE, sums["none"][1])
    hit = {tuple(paid(said, [True] * 8, Cell(False, "yoked"), random.Random(seed))) for seed in range(20)}
    assert len(hit) == 4


def test_halves_are_looked_at_by_the_seed() -> None:
    small, large = Problem(29, 10), Problem(30, 10)
    assert _receipts._looked(small, 0)
    assert _receipts._looked(large, 1)
    assert not _receipts._looked(large, 0)
    assert not _receipts._looked(small, 1)


def test_examples_have_true_receipts_and_two_digits() -> None:
    draw, problem = random.Random(0), Problem(49, 49)
    said = [read(_receipts._example(draw, problem), problem) for _ in range(400)]
    assert {one.receipt for one in said} == {"none", "true"}
    assert sum(one.right for one in said) / 400 == pytest.approx(0.8, abs=0.06)


def test_the_interaction_and_the_two_halves(monkeypatch: pytest.MonkeyPatch) -> None:
    found = made(monkeypatch, {"free caught": (0.7, 0.2, 0.5), "discounted caught": (0.3, 0.4, 0.4)})
    assert found["omits"] == pytest.approx(0.4)
    assert found["deters"] == pytest.approx(-0.4)
    assert found["spreads"] == pytest.approx(-0.1)
    assert (found["before"], found["unfined"], found["fined"]) == (0.3, 0.6, 0.2)
    assert found["aimed"] == pytest.approx(0.05)
    assert found["yoked-omits"] == found["yoked-deters"] == found["yoked-spreads"] == 0.0


def test_cells_that_are_dealt_anew_are_still_the_same_six(monkeypatch: pytest.MonkeyPatch) -> None:
    rates = {cell.name: (at / 10, at / 10, at / 10) for at, cell in enumerate(CELLS)}
    drawn = {made(monkeypatch, rates, dealt=1.0)["fined"], made(monkeypatch, rates, dealt=1.0)["fined"]}
    assert len(drawn) == 1
    assert drawn <= {at / 10 for at in range(6)}
    assert made(monkeypatch, rates)["fined"] == 0.1
