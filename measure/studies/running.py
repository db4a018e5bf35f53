"""Running a frozen study: its subjects built or found, read, and its rule applied, whatever comes out."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from lens.errors import UsageError
from lens.price import Price, cpu_seconds
from lens.reading import Columns, Declined, Evidence, Input, Label, Measured, Quantity, Subject
from lens.resource import cache_folder
from lens.studies.adjudicate import Units, Verdict, adjudicate, read_fields
from lens.studies.science import Science, Values, sciences
from lens.studies.seeds import subjects_of
from lens.studies.spec import Spec, parse
from lens.studies.statistics import Estimate, Unread
from measure.committed import committed, under_git
from measure.engine import Engine
from measure.machine import made
from measure.progress import Progress
from measure.store import Record, Store
from measure.store.ids import record_path
from measure.studies import subjects
from measure.studies.classes import genuine
from measure.studies.freezing import code_of, freeze_input, frozen, naming

OUTCOMES = ("confirmed", "refuted", "inconclusive", "void")
_WANTED = {"model": "a reward model, which whoever runs it names", "runs": "runs, which whoever runs it names"}


def freeze_of(store: Store, id: str) -> tuple[Spec, Record]:
    """The newest version of a study's freeze, and the spec it holds. Raises UsageError where there is none."""
    versions = versions_of(store, id)
    if not versions:
        raise UsageError(f"study {id} isn't frozen", remedy=f"lens study freeze content/studies/{id}.toml")
    record = genuine(store.record(versions[-1]))
    return parse(frozen(record), f"the freeze of {id}"), record


def freezes(store: Store) -> list[tuple[Spec, Record]]:
    """The newest version of every study's freeze, by id."""
    ids = {one.split("/")[1].removeprefix("study-") for one in store.ids() if one.startswith("project/study-")}
    return [freeze_of(store, id) for id in sorted(ids) if versions_of(store, id)]


def versions_of(store: Store, id: str) -> list[str]:
    """Ids of a study's freezes, first version first."""
    first = f"project/study-{id}/freeze"
    later = [one for one in store.ids() if one.startswith(f"{first}~v")]
    return ([first] if store.has(first) else []) + sorted(later, key=lambda one: int(one.rpartition("~v")[2]))


def run(store: Store, spec: Spec, freeze: Record, *, workers: int | None = None, show: bool = True) -> list[Verdict]:
    """Read every subject and adjudicate; writes the reading and the adjudication. Raises UsageError where the freeze
    isn't committed, and where what it rests on is no longer there."""
    science = sciences()[spec.science]
    _ready(store, spec, science, freeze)
    units = subjects.of(spec, freeze.digest)
    scope = f"study {freeze.digest}"
    began, cpu = time.monotonic(), cpu_seconds()
    with (
        Engine(1 if spec.named == "model" else workers, cache=cache_folder()) as engine,
        Progress({spec.id: Price(science.seconds * len(units), len(units))}, show=show) as progress,
    ):
        values = subjects.read(units, science, engine, scope=scope, name=spec.id, progress=progress)
        progress.finish(f"{len(units)} subjects")
        by_arm = subjects.by_arm(spec, units, values)
        verdicts = adjudicate(spec, science, by_arm)
        here = made(
            f"lens study run {spec.id}",
            seconds=time.monotonic() - began,
            cpu=cpu_seconds() - cpu + engine.cpu,
            calls=len(units),
        )
        reading = _reading(spec, science, freeze, by_arm)
        store.write([(reading, {"units": _table(science, units, values)}, here)])
        store.write([(_adjudication(spec, freeze, store.record(reading.id), verdicts), {}, here)])
        engine.forget(f"{scope} {science.name} {science.version}")
    return verdicts


def _ready(store: Store, spec: Spec, science: Science, freeze: Record) -> None:
    if spec.waits:
        raise UsageError(f"{spec.id} waits for {_WANTED[spec.named]}", remedy=naming(spec))
    refuse_uncommitted(store, spec, freeze)
    version = freeze.evidence.parameters["science"]["version"]
    if version != science.version:
        raise UsageError(
            f"{science.name} is at version {science.version}, and {spec.id} was frozen with {version}",
            remedy="freeze a later version of the study, which says so in `amends`",
        )
    for one in freeze.evidence.inputs:
        if one.role == "scorecard" and not (store.has(one.name) and store.record(one.name).digest == one.digest):
            raise UsageError(
                f"{spec.id} rests on {one.name}, which isn't in the store as it was frozen",
                remedy="git checkout brings it back, or freeze a later version on the newer one",
            )


def refuse_uncommitted(store: Store, spec: Spec, freeze: Record) -> None:
    """Raises UsageError where the store is under git, and the freeze isn't in it."""
    path = store.root / record_path(freeze.id)
    if under_git(path) and not committed(path):
        raise UsageError(
            f"the freeze of {spec.id} isn't committed: what is measured now could not be told from what came before it",
            remedy=f"git add {store.root} && git commit -m 'Freeze {spec.id}', then the same command",
        )


def _table(science: Science, units: Sequence[subjects.Unit], values: Sequence[Values]) -> Columns:
    """A row a subject."""
    found: Columns = {
        "arm": [one.arm for one in units],
        "number": [one.number for one in units],
        "seed": [one.seed for one in units],
        "subject": [one.spec for one in units],
    }
    for name in science.values:
        column = [read.get(name) for read in values]
        found[name] = [None if value is None else float(value) for value in column]
    return found


def _reading(spec: Spec, science: Science, freeze: Record, units: Units) -> Evidence:
    controls = {one.field: one.control_field for one in spec.hypothesis}
    fields: dict[str, Quantity | Label | Declined] = {}
    found = read_fields(science, spec.arms, units)
    for name, (_, value, _) in science.fields(spec.arms).items():
        fields[name] = _field(science, value, name, found[name], spec, controls.get(name, ""))
    return Evidence(
        instrument=science.name,
        version=science.version,
        variant=spec.variant,
        varied={"version": str(spec.version)} if spec.variant else {},
        subject=Subject("project", spec.slug, spec.title, subjects_of(freeze.digest), spec=spec.id),
        reading=Measured(fields, spec.hypothesis[0].field, _scope(spec, science)),
        inputs=(freeze_input(freeze), *subjects.sealed_inputs(spec, science, missing=True)),
        parameters={"arms": spec.arms, "code": code_of(science)},
        seed=0,
    )


def _scope(spec: Spec, science: Science) -> str:
    many = ", ".join(f"{count} of {arm}" for arm, count in spec.arms.items())
    where = "built for this study, whose truth was planted"
    if spec.subject:
        where = "that were there already" if spec.each else f"drawn on {spec.subject[0].spec}"
    return f"subjects {where}: {many}; the {science.unit} is the unit, and it says nothing of subjects of other kinds"


def _field(
    science: Science, value: str, name: str, got: Estimate | Unread, spec: Spec, control: str
) -> Quantity | Declined:
    if isinstance(got, Unread):
        return Declined(
            "void", f"{name}: {got.why}", f"lens study freeze content/studies/{spec.id}.toml, as a later version"
        )
    if got.k is not None:
        unit = science.values[value].unit
        return Quantity(got.k, unit, "count", of=got.n, interval=got.interval, n=got.n, control=control)
    unit, kind = science.measured_in(name)
    return Quantity(got.value, unit, kind, interval=got.interval, n=got.n, control=control)


def _adjudication(spec: Spec, freeze: Record, reading: Record, verdicts: Sequence[Verdict]) -> Evidence:
    counts: Mapping[str, int] = {name: sum(one.outcome == name for one in verdicts) for name in OUTCOMES}
    fields: dict[str, Quantity | Label | Declined] = {
        name: Quantity(counts[name], "frozen hypotheses", "count", of=len(verdicts), n=len(verdicts))
        for name in OUTCOMES
    }
    for one in verdicts:
        fields[f"{one.name}.outcome"] = Label(one.outcome, one.why)
        if isinstance(one.estimate, Estimate):
            fields[f"{one.name}.p"] = Quantity(one.p, "p of the rule, unadjusted", "ratio", n=one.estimate.n)
            fields[f"{one.name}.holm"] = Quantity(one.holm, "p of the rule, by Holm", "ratio", n=one.estimate.n)
    edited = reading.evidence.parameters["code"] != freeze.evidence.parameters["science"]["code"]
    fields["code"] = Label("edited since it was frozen" if edited else "as frozen")
    return Evidence(
        instrument="adjudication",
        version=1,
        variant=spec.variant,
        varied={"version": str(spec.version)} if spec.variant else {},
        subject=Subject("project", spec.slug, spec.title, subjects_of(freeze.digest), spec=spec.id),
        reading=Measured(fields, "confirmed", "the rule that was frozen, applied to what was measured"),
        inputs=(freeze_input(freeze), Input("reading", reading.id, reading.digest, f"evidence:{reading.id}")),
        parameters={"family": list(spec.family), "alpha": spec.alpha},
    )
