"""Scorecards: an exam's whole series of planted models, marked, judged and written as evidence.

An organism is one item of work: built in the cache, read by the instrument alone, marked. Items run on the engine and
are kept, so a stopped series goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lens.canonical import digest
from lens.instrument import Instrument, find
from lens.price import Price, cpu_seconds
from lens.reading import Columns, Declined, Evidence, Label, Measured, Quantity, Subject, fields_of
from lens.resource import cache_folder
from measure.engine import Engine
from measure.machine import machine, revision
from measure.progress import Progress
from measure.store import Made, Store

if TYPE_CHECKING:
    from lens.models.exams import Exam
    from lens.models.organisms.series import Member
    from lens.stats.scorecard import Marked, Rate, Scorecard

SEED = 0


def calibrate(store: Store, exam: Exam, *, workers: int | None = None, show: bool = True) -> Scorecard:
    """Run an exam on its family's series and write the scorecard, passed or failed."""
    from lens.models.organisms.series import series
    from lens.stats.scorecard import scorecard

    members = list(series(exam.family, a_dose=exam.a_dose))
    instrument = _instrument(exam)
    began, cpu = time.monotonic(), cpu_seconds()
    scope = f"exam {exam.name} {instrument.version}"
    with (
        Engine(workers, cache=cache_folder()) as engine,
        Progress({exam.name: Price(2.0 * len(members), len(members))}, show=show) as progress,
    ):
        progress.start(exam.name)
        marks = []
        for mark in engine.map(examine, [(exam.name, one.dose, one.seed) for one in members], scope=scope):
            marks.append(_marked(mark))
            progress.advance(1)
        card = scorecard(marks, seed=SEED)
        progress.finish("passed" if card.passed else f"not passed: {', '.join((*card.failed, *card.missing))}")
        made = Made(
            time=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            seconds=round(time.monotonic() - began, 3),
            cpu_seconds=round(cpu_seconds() - cpu + engine.cpu, 3),
            calls=len(members),
            command=f"lens calibrate {exam.instrument} --family {exam.family}",
            machine=machine(),
            revision=revision(Path.cwd()),
        )
        store.write([(evidence(exam, instrument, card), {"organisms": table(members, marks)}, made)])
        engine.forget(scope)
    return card


def stands(store: Store, exam: Exam) -> bool:
    """Whether the store holds this exam's scorecard, of this version of the instrument and of the same organisms."""
    instrument = _instrument(exam)
    id = f"project/{instrument.name}/scorecard~{exam.family}"
    return store.has(id) and store.record(id).evidence.parameters == parameters(exam, instrument)


def examine(asked: tuple[str, float, int]) -> list[Any]:
    """One organism's mark, in plain types: the exam's instrument read on it, and its answer key."""
    import json

    import torch

    from lens.access import Access
    from lens.models.exams import Read, exams
    from lens.models.inspection import Inspection
    from lens.models.organisms import find_family, resolve_organism, spec_of
    from lens.models.subject import open_model
    from lens.reading import Result

    torch.set_num_threads(1)
    name, dose, seed = asked
    exam = exams()[name]
    spec = spec_of(find_family(exam.family), dose, seed)
    model = open_model(spec, device="cpu", dtype="float32")
    pairs = model.own_pairs
    assert pairs is not None
    if exam.axis:
        pairs = replace(pairs, pairs=tuple(pair for axis in exam.axis.split() for pair in pairs.on(axis)))
    inspection = Inspection(model, pairs, Access.parse(model.grants()), sample=exam.sample, controls=exam.controls)
    result = _instrument(exam).run(inspection)
    reading, tables = result if isinstance(result, Result) else Result(result)
    told = json.loads((resolve_organism(spec).path / "training.json").read_text("utf-8"))
    return list(exam.mark(Read(fields_of(reading), tables, told)))


def parameters(exam: Exam, instrument: Instrument) -> dict[str, Any]:
    """What a scorecard is of; `organisms` are digests of what decides their bits."""
    from lens.models.organisms import find_family

    family = find_family(exam.family)
    found: dict[str, Any] = {
        "instrument": instrument.name,
        "version": instrument.version,
        "subjects": "models",
        "quantity": exam.quantity,
        "family": exam.family,
        "doses": list(family.doses),
        "organisms": [family.key(dose, 0)[:16] for dose in family.doses],
        "sample": exam.sample,
        "controls": exam.controls,
        "axis": exam.axis,
    }
    return found | ({"limit": exam.limit} if exam.limit else {})


def evidence(exam: Exam, instrument: Instrument, card: Scorecard) -> Evidence:
    """The scorecard's record, `project/<instrument>/scorecard~<family>`."""
    given = parameters(exam, instrument)
    return Evidence(
        instrument="scorecard",
        version=1,
        variant=exam.family,
        varied={"family": exam.family},
        subject=Subject("project", instrument.name, instrument.name, digest(given), spec=exam.name),
        reading=reading(exam, card),
        parameters=given,
        seed=SEED,
    )


def reading(exam: Exam, card: Scorecard) -> Measured:
    """`passed` yes, no or provisional, each criterion as a field, and the smallest dose found at 90 % power."""
    fields: dict[str, Quantity | Label | Declined] = {"passed": Label(_passed(card), "; ".join(card.missing))}
    fields["smallest-dose"] = (
        Quantity(card.smallest_dose, unit=_unit(exam), kind="score", note="flagged on 90 % of organisms from here on")
        if card.smallest_dose is not None
        else Declined(
            "below_detection",
            "no dose of the series is flagged on nine tenths of its organisms",
            f"a stronger rule, or another instrument than {exam.instrument}",
        )
    )
    for name, rate in (
        ("false-positives", card.false_positives),
        ("coverage", card.coverage),
        ("decoys", card.decoys),
        *((f"power.{_dose(dose)}", rate) for dose, rate in card.power.items()),
    ):
        if rate is not None:
            fields[name] = _rate(rate, "intervals" if name == "coverage" else "organisms")
    for dose, found in card.auc.items():
        fields[f"auc.{_dose(dose)}"] = Quantity(
            found.value, unit="AUC against none planted", kind="proportion", interval=found.interval
        )
    if card.trend is not None:
        fields["trend.p"] = Quantity(card.trend.p, unit="p, Jonckheere's trend over doses", kind="ratio")
    for name, holds in card.criteria.items():
        fields[f"holds.{name}"] = Label("yes" if holds else "no")
    if exam.limit:
        fields["limit"] = Label(exam.limit)
    total = sum(rate.n for rate in card.power.values()) + (card.false_positives.n if card.false_positives else 0)
    scope = (
        f"{total} planted models of the family {exam.family}, each with a seed of its own; it says how the instrument "
        "does on rules of this kind and size, and nothing of others"
    )
    return Measured(fields, "passed", scope)


def table(members: Sequence[Member], marks: Sequence[Marked]) -> Columns:
    """A row an organism."""
    return {
        "organism": [member.spec for member in members],
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


def _rate(rate: Rate, unit: str) -> Quantity:
    return Quantity(rate.k, unit=unit, kind="count", of=rate.n, interval=rate.interval, n=rate.n)


def _dose(dose: float) -> str:
    """A dose in a field's name, whose words hold no dot.

    >>> _dose(0.25), _dose(2.0)
    ('0-25', '2')
    """
    return f"{dose:g}".replace(".", "-")


def _unit(exam: Exam) -> str:
    from lens.models.organisms import find_family

    return find_family(exam.family).unit


def _instrument(exam: Exam) -> Instrument:
    found = find("models", exam.instrument)
    assert found is not None, exam.instrument
    return found


def _marked(plain: Sequence[Any]) -> Marked:
    from lens.stats.scorecard import Marked

    return Marked(*plain)
