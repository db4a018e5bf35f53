"""Freezing a study: what it says is checked, tried where there is nothing to find, and written with its digest."""

from __future__ import annotations

import hashlib
import inspect
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from lens.canonical import digest
from lens.errors import UsageError
from lens.price import Price, cpu_seconds
from lens.reading import Declined, Evidence, Input, Label, Measured, Quantity, Subject
from lens.resource import cache_folder
from lens.stats.clusters import LEAST
from lens.studies.power import DRAWS, WANTED, power
from lens.studies.science import Science, sciences
from lens.studies.spec import Hypothesis, Spec, parse
from lens.studies.vacuity import Null, nulls, tautology
from measure.engine import Engine
from measure.machine import made
from measure.progress import Progress
from measure.store import Record, Store
from measure.studies import subjects

SEED = 0


class Tried(NamedTuple):
    """What a hypothesis did before there was anything to see: its power, and null studies that confirmed it."""

    power: float
    null: Null


def freeze(store: Store, spec: Spec, *, workers: int | None = None, show: bool = True) -> Record:
    """Freeze a study. Raises UsageError with every reason why it can't be.

    A spec that is frozen already, word for word, is left as it is.
    """
    id = spec.record("freeze")
    if store.has(id):
        if parse(frozen(store.record(id)), id) == spec:
            _wait(store, spec, store.record(id))
            return store.record(id)
        raise UsageError(
            f"study {spec.id} is frozen already, version {spec.version}, and says something else",
            remedy=f"version = {spec.version + 1} with `amends` freezes it anew, beside the first",
        )
    science = _science(spec)
    _refuse(spec, [*_fields(spec, science), *_before(store, spec)])
    given = _given(store, spec, science)
    began, cpu = time.monotonic(), cpu_seconds()
    with Engine(workers, cache=cache_folder()) as engine:
        tried = _tried_unnamed(store, spec) or _tried(spec, science, engine, show=show)
        here = made(
            f"lens study freeze content/studies/{spec.id}.toml",
            seconds=time.monotonic() - began,
            cpu=cpu_seconds() - cpu + engine.cpu,
        )
        store.write([(_evidence(spec, science, tried, given), {}, here)])
        _wait(store, spec, store.record(id))
        engine.forget(_scope(spec, science))
    return store.record(id)


def name(store: Store, spec: Spec, named: Sequence[str]) -> Spec:
    """The spec with the subjects that a person names, `SUBJECT` or `ARM=SUBJECT`: its next version, or the one that
    has named them. Raises UsageError where the spec takes none, or not these."""
    if not spec.named:
        raise UsageError(f"study {spec.id} builds its subjects: it takes none", remedy=f"lens study run {spec.id}")
    first = spec.arm[0].name
    split = [one.partition("=") for one in named]
    arms = {arm.name for arm in spec.arm}
    subject = [
        {"spec": rest, "arm": arm} if there and arm in arms else {"spec": whole, "arm": first}
        for (arm, there, rest), whole in zip(split, named, strict=True)
    ]
    version = spec.version
    while True:
        version += 1
        said = parse(
            spec.plain | {"version": version, "subject": subject, "amends": "it names its subjects, and nothing else"}
        )
        id = said.record("freeze")
        if not store.has(id) or parse(frozen(store.record(id)), id) == said:
            return said


def naming(spec: Spec) -> str:
    """The commands that name a study's subjects, and run it."""
    wanted = "--subject MODEL"
    if spec.named == "runs":
        wanted = " ".join(f"--subject {one.name}=RUN ..." for one in spec.arm)
    return f"lens study freeze content/studies/{spec.id}.toml {wanted} && lens study run {spec.id}"


def freeze_input(freeze: Record) -> Input:
    """A freeze, among the inputs of what counts for it."""
    return Input("freeze", freeze.id, freeze.digest, f"evidence:{freeze.id}")


def frozen(record: Record) -> dict[str, object]:
    """The spec that a freeze holds, as plain data."""
    return dict(record.evidence.parameters["spec"])


def code_of(science: Science) -> str:
    """Digest of the source of the science's file: what is measured, as it was when it was frozen."""
    return hashlib.sha256(inspect.getsource(sys.modules[science.measure.__module__]).encode()).hexdigest()


def _science(spec: Spec) -> Science:
    found = sciences().get(spec.science)
    if found is None:
        raise UsageError(
            f"no instrument produces what study {spec.id} measures: no science is called {spec.science!r}",
            remedy=f"science = one of {', '.join(sciences())}",
        )
    return found


def _fields(spec: Spec, science: Science) -> list[str]:
    """What no instrument produces, and what too few subjects stand behind."""
    made, home = science.fields(spec.arms), f"project/{spec.slug}/{science.name}"
    found = []
    for one in spec.hypothesis:
        for role, ref in (("metric", one.metric), ("control", one.control)):
            id, _, field = ref.partition("#")
            if id != home or field not in made:
                found.append(f"no instrument produces {ref}, the {role} of {one.name}: {home} has {', '.join(made)}")
                continue
            few = [f"{spec.arms[arm]} of {arm}" for arm in made[field][2] if spec.arms[arm] < LEAST]
            if few:
                found.append(f"{one.name} stands on {', '.join(few)}: under {LEAST} clusters there is no interval")
    if spec.unit != science.unit:
        found.append(f"the unit of {science.name} is the {science.unit}, not the {spec.unit}")
    if (spec.subject or spec.named) and None in (science.read, science.fingerprint, science.null_plant):
        found.append(f"{science.name} builds its subjects: it reads none that is there already")
    return found


def _before(store: Store, spec: Spec) -> list[str]:
    """What the store lacks."""
    found = [f"it cites {id}, which isn't in the store" for id in spec.cites if not store.has(id)]
    for earlier in _amended(spec):
        if not store.has(earlier):
            found.append(f"version {spec.version} amends version {spec.version - 1}, which isn't frozen")
    return found


def _given(store: Store, spec: Spec, science: Science) -> tuple[Input, ...]:
    """Sealed subjects by fingerprint, and the scorecards it rests on."""
    return (
        *subjects.sealed_inputs(spec, science),
        *(Input("scorecard", id, store.record(id).digest, f"evidence:{id}") for id in spec.cites),
        *(Input("amended", id, store.record(id).digest, f"evidence:{id}") for id in _amended(spec)),
    )


def _amended(spec: Spec) -> list[str]:
    """The freeze that a later version amends."""
    first = f"project/{spec.slug}/freeze"
    return [first + (f"~v{spec.version - 1}" if spec.version > 2 else "")] if spec.version > 1 else []


def _tried_unnamed(store: Store, spec: Spec) -> dict[str, Tried]:
    """What its hypotheses did before its subjects were named, which changes nothing of it; empty where they weren't."""
    if not (spec.named and spec.subject):
        return {}
    fields = store.record(_amended(spec)[0]).fields
    tried = {}
    for one in spec.hypothesis:
        power, null = fields[f"{one.name}.power"], fields[f"{one.name}.null"]
        assert isinstance(power, Quantity)
        assert isinstance(null, Quantity)
        assert null.of is not None
        tried[one.name] = Tried(float(power.value), Null(int(null.value), null.of))
    return tried


def _scope(spec: Spec, science: Science) -> str:
    return f"study pilot {spec.digest} {science.version}"


def _tried(spec: Spec, science: Science, engine: Engine, *, show: bool) -> dict[str, Tried]:
    """Power and nulls of every hypothesis. Raises UsageError naming those that can't be frozen."""
    pilot, null = _pilot(spec, science, engine, show=show)
    against = nulls(spec, science, null, seed=SEED)
    tried = {
        one.name: Tried(power(spec, science, one, _numbers(spec, science, one, pilot), seed=SEED), against[one.name])
        for one in spec.hypothesis
    }
    problems = []
    for one in spec.hypothesis:
        found = tried[one.name]
        if why := tautology(spec, science, one, pilot):
            problems.append(f"{one.name} is a tautology: {why}")
        elif found.null.vacuous(spec.alpha):
            problems.append(
                f"{one.name} is vacuous: {science.null}, it is confirmed in {found.null.confirmed} of "
                f"{found.null.n} null studies"
            )
        elif found.power < WANTED:
            problems.append(f"{one.name} has power {found.power:.2f} at {one.smallest:g}, below {WANTED:g}")
    _refuse(spec, problems)
    return tried


def _pilot(spec: Spec, science: Science, engine: Engine, *, show: bool) -> tuple[subjects.ByArm, subjects.ByArm]:
    """Values read on subjects of other seeds than the study's, and on null subjects.

    A study of sealed subjects has no pilot: there is no other draw of what it will read.
    """
    plan: list[tuple[str, Mapping[str, float] | None]] = [] if spec.subject else [("pilot", None)]
    if science.null_plant is not None:
        plan.append(("null subjects", science.null_plant))
    count = spec.pilot * len(spec.arms)
    found: dict[str, subjects.ByArm] = {}
    with Progress({name: Price(science.seconds * count, count) for name, _ in plan}, show=show) as progress:
        for name, plant in plan:
            units = subjects.tried(spec, digest({"pilot": spec.digest}), plant)
            values = subjects.read(units, science, engine, scope=_scope(spec, science), name=name, progress=progress)
            progress.finish(f"{len(units)} subjects")
            found[name] = subjects.by_arm(spec, units, values)
    pilot = found.get("pilot", {})
    return pilot, found.get("null subjects", pilot)


def _numbers(spec: Spec, science: Science, one: Hypothesis, pilot: subjects.ByArm) -> dict[str, list[float]]:
    """The metric's values in the pilot; of sealed subjects none, and the spec states the spread."""
    statistic, value, arms = science.fields(spec.arms)[one.field]
    if spec.subject:
        if statistic != "share" and one.spread is None:
            raise UsageError(
                f"study {spec.id}: {one.name} is of subjects that are there already, and no pilot can be run",
                remedy="spread = the standard deviation between subjects that power is to be judged by",
            )
        return {arm: [0.0] * LEAST for arm in arms}
    found = {arm: [got for values in pilot[arm] if (got := values.get(value)) is not None] for arm in arms}
    if any(len(column) < LEAST for column in found.values()):
        raise UsageError(
            f"study {spec.id}: {value} declines on too many subjects of the pilot to judge power by",
            remedy="a metric that most subjects have, and a pilot of at least 8",
        )
    return found


def _refuse(spec: Spec, problems: list[str]) -> None:
    if problems:
        raise UsageError(
            f"study {spec.id} can't be frozen: " + "; ".join(problems), remedy="change the spec; nothing was written"
        )


def _wait(store: Store, spec: Spec, freeze: Record) -> None:
    """Where nobody has named its subjects yet, its reading is declined, with the command that names them."""
    if spec.waits:
        store.write([(_waiting(spec, _science(spec), freeze), {}, freeze.made)])


def _waiting(spec: Spec, science: Science, freeze: Record) -> Evidence:
    return Evidence(
        instrument=science.name,
        version=science.version,
        variant=spec.variant,
        varied={"version": str(spec.version)} if spec.variant else {},
        subject=Subject("project", spec.slug, spec.title, "not named yet", spec=spec.id),
        reading=Declined(
            "not_run",
            f"its predictions are frozen, and no {'reward model' if spec.named == 'model' else 'run'} was at hand",
            naming(spec),
            needs=f"{'a reward model' if spec.named == 'model' else 'runs'} of the size that is asked about",
            has="subjects of a test’s size",
        ),
        inputs=(freeze_input(freeze),),
    )


def _evidence(spec: Spec, science: Science, tried: Mapping[str, Tried], given: tuple[Input, ...]) -> Evidence:
    fields: dict[str, Quantity | Label | Declined] = {
        "hypotheses": Quantity(len(spec.hypothesis), "frozen hypotheses", "size"),
        "question": Label(spec.question),
        "prediction": Label(spec.prediction),
        "refuted-by": Label(spec.refuted_by),
        "null-subjects": Label(science.null),
        "alpha": Quantity(spec.alpha, "chance of any false confirmation in the family", "proportion"),
    }
    if spec.amends:
        fields["amends"] = Label(spec.amends)
    for arm, count in spec.arms.items():
        fields[f"units.{arm}"] = Quantity(count, spec.units, "size")
    for said in spec.hypothesis:
        fields |= _said(said, science)
    for name, one in tried.items():
        fields[f"{name}.power"] = Quantity(
            one.power, "power at the smallest effect of interest", "proportion", n=DRAWS, control=f"{name}.null"
        )
        fields[f"{name}.null"] = Quantity(
            one.null.confirmed, "null studies", "count", of=one.null.n, n=one.null.n,
        )  # fmt: skip
    return Evidence(
        instrument="freeze",
        version=1,
        variant=spec.variant,
        varied={"version": str(spec.version)} if spec.variant else {},
        subject=Subject("project", spec.slug, spec.title, spec.digest, spec=spec.id),
        reading=Measured(fields, "hypotheses", "what was said before any subject of the study was read"),
        inputs=given,
        parameters={"spec": spec.plain, "science": {"version": science.version, "code": code_of(science)}},
        seed=SEED,
    )


def _said(one: Hypothesis, science: Science) -> dict[str, Quantity | Label | Declined]:
    """A hypothesis as it was said, with its numbers in the metric's own units."""
    unit, kind = science.measured_in(one.field)
    fields: dict[str, Quantity | Label | Declined] = {
        f"{one.name}.says": Label(one.says),
        f"{one.name}.threshold": Quantity(one.threshold, unit, kind, note=one.comparator),
        f"{one.name}.smallest": Quantity(one.smallest, unit, kind, note="the smallest effect of interest"),
        f"{one.name}.kill": Quantity(one.kill.threshold, unit, kind, note=one.kill.comparator),
    }
    if one.margin:
        size = "score" if kind == "difference" else kind
        fields[f"{one.name}.margin"] = Quantity(one.margin, unit, size, note="to either side")
    return fields
