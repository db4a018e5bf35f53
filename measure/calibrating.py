"""Scorecards: an exam's whole series of planted subjects, marked, judged and written as evidence.

A planted subject, an organism, is one item of work: made, read by the instrument alone, marked. Items run on the engine
and are kept, so a stopped series goes on where it was. A card of an earlier version is judged again from the marks in
its table: no organism is read twice.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

import msgspec

from lens.canonical import digest
from lens.price import Price, cpu_seconds
from lens.reading import Columns, Declined, Evidence, Label, Measured, Quantity, Subject
from lens.resource import cache_folder
from measure.engine import Engine
from measure.machine import made
from measure.progress import Progress
from measure.store import Record, Store

if TYPE_CHECKING:
    from lens.exam import Exam, Unit
    from lens.stats.scorecard import Marked, Rate, Scorecard

SEED = 0
VERSION = 2  # of what is said of a series' marks


def calibrate(store: Store, exam: Exam, *, workers: int | None = None, show: bool = True) -> Scorecard:
    """Run an exam on its family's series and write the scorecard, passed or failed."""
    from lens.stats.scorecard import scorecard

    if (again := judged_again(store, exam)) is not None:
        return again
    units = exam.units()
    began, cpu = time.monotonic(), cpu_seconds()
    scope = f"exam {exam.name} {digest(exam.parameters())[:16]}"
    with (
        Engine(workers, cache=cache_folder()) as engine,
        Progress({exam.name: Price(2.0 * len(units), len(units))}, show=show) as progress,
    ):
        progress.start(exam.name)
        marks = []
        for mark in engine.map(examine, [(exam.name, one.dose, one.seed) for one in units], scope=scope):
            marks.append(_marked(mark))
            progress.advance(1)
        card = scorecard(marks, seed=SEED)
        progress.finish("passed" if card.passed else f"not passed: {', '.join((*card.failed, *card.missing))}")
        here = made(
            f"lens calibrate {exam.instrument} --family {exam.family}",
            seconds=time.monotonic() - began,
            cpu=cpu_seconds() - cpu + engine.cpu,
            calls=len(units),
        )
        store.write([(evidence(exam, card), {"organisms": table(exam, units, marks)}, here)])
        engine.forget(scope)
    return card


def stands(store: Store, exam: Exam) -> bool:
    """Whether the store holds this exam's scorecard, of this version of the instrument and of the same organisms."""
    record = _marked_before(store, exam)
    return record is not None and record.evidence.version == VERSION


def judged_again(store: Store, exam: Exam) -> Scorecard | None:
    """The scorecard of an earlier version, judged anew from its own marks and written; None where there is none of this
    exam. What it cost stays what reading the organisms cost."""
    from lens.stats.scorecard import Marked, scorecard

    record = _marked_before(store, exam)
    if record is None or record.evidence.version >= VERSION:
        return None
    kept: Columns = store.table(record.id, "organisms").to_pydict()
    names = ("dose", "score", "flagged", "planted", "low", "high", "decoy")
    marks = [Marked(*row) for row in zip(*(kept[name] for name in names), strict=True)]
    card = scorecard(marks, seed=SEED)
    here = made(record.made.command)
    here = msgspec.structs.replace(record.made, time=here.time, revision=here.revision)
    store.write([(evidence(exam, card), {"organisms": kept}, here)])
    return card


def _marked_before(store: Store, exam: Exam) -> Record | None:
    """The store's scorecard of this exam, of the same version of the instrument and of the same organisms."""
    id = f"project/{exam.instrument}/scorecard~{exam.variant}"
    record = store.record(id) if store.has(id) else None
    return record if record is not None and record.evidence.parameters == exam.parameters() else None


def examine(asked: tuple[str, float, int]) -> list[Any]:
    """One planted subject's mark, in plain types."""
    from lens.exam import exams

    name, dose, seed = asked
    return list(exams()[name].examine(dose, seed))


def evidence(exam: Exam, card: Scorecard) -> Evidence:
    """The scorecard's record, `project/<instrument>/scorecard~<variant>`."""
    given = exam.parameters()
    return Evidence(
        instrument="scorecard",
        version=VERSION,
        variant=exam.variant,
        varied={"family": exam.family} | ({"part": exam.part} if exam.part else {}),
        subject=Subject("project", exam.instrument, exam.instrument, digest(given), spec=exam.name),
        reading=reading(exam, card),
        parameters=given,
        seed=SEED,
    )


def reading(exam: Exam, card: Scorecard) -> Measured:
    """`passed` yes, no or provisional, each criterion as a field, and the smallest dose found at 90 % power.

    By positive dose d: `power.d` flagged, `decoys.d` decoys flagged, `coverage.d` intervals that hold the planted
    value, `auc.d`; `dose.d` is the dose itself. `interval.of` is what the intervals are of, with its unit. `range.low`
    and `range.high` are the smallest and the largest size that was read, and `range.of` the fields of a reading whose
    size that is.
    """
    fields: dict[str, Quantity | Label | Declined] = {"passed": Label(_passed(card), "; ".join(card.missing))}
    fields["smallest-dose"] = (
        Quantity(card.smallest_dose, unit=exam.unit, kind="score", note="flagged on 90 % of organisms from here on")
        if card.smallest_dose is not None
        else Declined(
            "below_detection", _unfound(card), f"a stronger rule, or another instrument than {exam.instrument}"
        )
    )
    for name, rate in (
        ("false-positives", card.false_positives),
        ("coverage", card.coverage),
        ("decoys", card.decoys),
        *((f"power.{_dose(dose)}", rate) for dose, rate in card.power.items()),
        *((f"decoys.{_dose(dose)}", rate) for dose, rate in card.decoy.items()),
        *((f"coverage.{_dose(dose)}", rate) for dose, rate in card.covered.items()),
    ):
        if rate is not None:
            fields[name] = _rate(rate, "intervals" if name.startswith("coverage") else "organisms")
    fields |= {f"dose.{_dose(dose)}": Quantity(dose, unit=exam.unit, kind="score") for dose in exam.doses if dose}
    for dose, found in card.auc.items():
        fields[f"auc.{_dose(dose)}"] = Quantity(
            found.value, unit="AUC against none planted", kind="proportion", interval=found.interval
        )
    if card.trend is not None:
        fields["trend.p"] = Quantity(card.trend.p, unit="p, Jonckheere's trend over doses", kind="ratio")
    for name, holds in card.criteria.items():
        fields[f"holds.{name}"] = Label("yes" if holds else "no")
    if card.coverage is not None:
        fields["interval.of"] = Label(exam.quantity, _unit(exam))
    if exam.limit:
        fields["limit"] = Label(exam.limit)
    elif exam.size is not None and card.span is not None:
        fields["range.of"] = Label(exam.size.fields)
        for end, value in zip(("low", "high"), card.span, strict=True):
            fields[f"range.{end}"] = Quantity(value, unit=exam.size.unit, kind="score")
    total = sum(rate.n for rate in card.power.values()) + (card.false_positives.n if card.false_positives else 0)
    scope = (
        f"{total} planted {exam.subjects} of the family {exam.family}, each with a seed of its own; it says how the "
        "instrument does on rules of this kind and size, and nothing of others"
    )
    return Measured(fields, "passed", scope)


def table(exam: Exam, units: Sequence[Unit], marks: Sequence[Marked]) -> Columns:
    """A row an organism."""
    return {
        "organism": [exam.spec(*unit) for unit in units],
        "dose": [mark.dose for mark in marks],
        "score": [mark.score for mark in marks],
        "flagged": [mark.flagged for mark in marks],
        "decoy": [mark.decoy for mark in marks],
        "planted": [None if mark.low is None else mark.truth for mark in marks],
        "low": [mark.low for mark in marks],
        "high": [mark.high for mark in marks],
    }


def _passed(card: Scorecard) -> str:
    if card.passed:
        return "yes"
    return "no" if card.failed else "provisional"


def _unfound(card: Scorecard) -> str:
    """Why no dose is found from which on nine tenths are flagged."""
    from lens.stats.scorecard import POWER

    if any(rate.share >= POWER for rate in card.power.values()):
        return "some doses are flagged on nine tenths of their organisms, but the largest is not"
    return "no dose of the series is flagged on nine tenths of its organisms"


def _unit(exam: Exam) -> str:
    """Of the quantity that is marked: that of sizes where it is one of them, else the instrument's."""
    sized = exam.size is not None and fnmatchcase(exam.quantity, exam.size.fields)
    return exam.size.unit if sized and exam.size else exam.found.unit


def _rate(rate: Rate, unit: str) -> Quantity:
    return Quantity(rate.k, unit=unit, kind="count", of=rate.n, interval=rate.interval, n=rate.n)


def _dose(dose: float) -> str:
    """A dose in a field's name, whose words hold no dot.

    >>> _dose(0.25), _dose(2.0)
    ('0-25', '2')
    """
    return f"{dose:g}".replace(".", "-")


def _marked(plain: Sequence[Any]) -> Marked:
    from lens.stats.scorecard import Marked

    return Marked(*plain)
