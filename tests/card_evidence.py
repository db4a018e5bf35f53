"""Made-up scorecards of an instrument that reads runs: what an exam writes, from marks that nobody measured."""

from __future__ import annotations

import random
from dataclasses import replace

from lens.exam import Exam, Unit
from lens.reading import Columns, Evidence
from lens.runs.exams import silent_zeros_lost
from lens.stats.scorecard import Marked, Scorecard, scorecard
from measure.calibrating import evidence, table
from measure.store import Made

EXAM: Exam = silent_zeros_lost.EXAM
PASSED = "project/silent-zeros/scorecard~lost"
FAILED = "project/silent-zeros/scorecard~lost-blind"
PROVISIONAL = "project/silent-zeros/scorecard~lost-short"
MADE = Made("2026-11-30T10:00:00Z", 60.0, 50.0, 260, "lens calibrate silent-zeros --family lost", {"python": "3.11"})
Item = tuple[Evidence, dict[str, Columns], Made]


def marks(exam: Exam = EXAM, *, found: float = 0.01, held: int = 20, claims: bool = True) -> list[Marked]:
    """An instrument that flags what reads above `found` and, where it `claims` one, has an interval that holds what is
    planted but for one in `held`."""
    draw = random.Random(4)
    made = []
    for at, (dose, _) in enumerate(exam.units()):
        read = max(0.0, dose + draw.gauss(0, 0.004) * (dose > 0))
        half = 0.02 if at % held else -0.001
        ends = (read - abs(half) - 0.01, dose + half) if claims and dose else (None, None)
        made.append(Marked(dose, read, read > found, dose, *ends, decoy=at % 97 == 0))
    return made


def item(exam: Exam = EXAM, made: list[Marked] | None = None) -> Item:
    """The card, as `Store.write` takes it."""
    made = marks(exam) if made is None else made
    units: list[Unit] = exam.units()
    return evidence(exam, card(made)), {"organisms": table(exam, units, made)}, MADE


def card(made: list[Marked]) -> Scorecard:
    return scorecard(made, draws=200)


def items() -> list[Item]:
    """One card that passed, one that sees nothing and claims no interval, one of too short a series."""
    blind, short = replace(EXAM, part="blind", size=None), replace(EXAM, part="short", a_dose=6)
    unseen = [
        mark._replace(score=at % 7 / 7, flagged=False, decoy=None) for at, mark in enumerate(marks(blind, claims=False))
    ]
    wide = [mark._replace(high=9.0) if at == 65 else mark for at, mark in enumerate(marks(short))]
    return [item(), item(blind, unseen), item(short, wide)]
