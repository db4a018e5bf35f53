"""The subjects of a study: built from the freeze's digest, or there already and sealed in it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lens.errors import UsageError
from lens.reading import Input
from lens.studies.science import Science, Values, sciences
from lens.studies.seeds import seed_of
from lens.studies.spec import Spec
from measure.engine import Engine
from measure.progress import Progress

ByArm = dict[str, list[Values]]


class Unit(NamedTuple):
    """One unit: its arm and number, the seed it is drawn from, and the name of the subject that is there already.
    Units of one `cluster` count as one."""

    science: str
    arm: str
    number: int
    seed: int
    plant: dict[str, float]
    spec: str = ""
    cluster: str = ""


def of(spec: Spec, digest: str) -> list[Unit]:
    """The units of a frozen study: there already, each a subject or all drawn on one; else built from `digest`."""
    if spec.each:
        return sealed(spec)
    units = built(spec, digest)
    return [one._replace(spec=spec.subject[0].spec) for one in units] if spec.subject else units


def built(spec: Spec, digest: str) -> list[Unit]:
    """Subjects built from `digest`. Numbers run through all arms, so that no two subjects share a seed."""
    return _numbered(spec.science, [(arm.name, arm.plant) for arm in spec.arm for _ in range(arm.units)], digest)


def tried(spec: Spec, digest: str, plant: Mapping[str, float] | None = None) -> list[Unit]:
    """A pilot's subjects, as many in every arm and of the same seeds, so that an identity shows; with `plant`, null
    subjects instead."""
    own = {arm.name: arm.plant for arm in spec.arm}
    planted = {arm: {**own.get(arm, {}), **(plant or {})} for arm in spec.arms}
    return [
        unit for arm, given in planted.items() for unit in _numbered(spec.science, [(arm, given)] * spec.pilot, digest)
    ]


def _numbered(science: str, planted: Sequence[tuple[str, Mapping[str, float]]], digest: str) -> list[Unit]:
    return [
        Unit(science, arm, number, seed_of(digest, number), dict(plant)) for number, (arm, plant) in enumerate(planted)
    ]


def sealed_inputs(spec: Spec, science: Science, *, missing: bool = False) -> list[Input]:
    """Sealed subjects by fingerprint. One that isn't there raises UsageError, or, where it may be `missing`, is left
    out."""
    found = []
    for one in spec.subject:
        assert science.fingerprint is not None
        try:
            found.append(Input("subject", f"subject {one.spec}", science.fingerprint(one.spec)))
        except UsageError:
            if not missing:
                raise
    return found


def sealed(spec: Spec) -> list[Unit]:
    """Subjects that are there already."""
    plants = {arm.name: arm.plant for arm in spec.arm}
    return [
        Unit(spec.science, one.arm, at, 0, dict(plants.get(one.arm, {})), one.spec, one.cluster)
        for at, one in enumerate(spec.subject)
    ]


def read(
    units: Sequence[Unit], science: Science, engine: Engine, *, scope: str, name: str, progress: Progress
) -> list[Values]:
    """What is read on each subject, in order. Finished ones are kept under `scope`, so that a stopped study goes on."""
    progress.start(name)
    found = []
    for values in engine.map(measure, units, scope=f"{scope} {science.name} {science.version}"):
        found.append(values)
        progress.advance(1)
    return found


def measure(unit: Unit) -> Values:
    """One subject, in plain types; a number that isn't finite, or a subject that vanished, couldn't be read."""
    science = sciences()[unit.science]
    try:
        if unit.spec and science.read:
            values = science.read(unit.spec, unit.seed, unit.plant)
        else:
            values = science.measure(unit.seed, unit.plant)
    except UsageError:
        return {}
    return {name: None if value is None or not math.isfinite(value) else float(value) for name, value in values.items()}


def by_arm(spec: Spec, units: Sequence[Unit], values: Sequence[Values]) -> ByArm:
    """Values by arm; sealed subjects of one cluster are averaged, since one of them was drawn."""
    grouped: dict[str, dict[Any, list[Values]]] = {arm: {} for arm in spec.arms}
    for unit, read in zip(units, values, strict=True):
        grouped[unit.arm].setdefault(unit.cluster or unit.number, []).append(read)
    return {arm: [_mean(some) for some in groups.values()] for arm, groups in grouped.items()}


def _mean(some: Sequence[Values]) -> Values:
    found: Values = {}
    for name in some[0]:
        column = [one.get(name) for one in some]
        numbers = [one for one in column if one is not None]
        found[name] = sum(numbers) / len(numbers) if len(numbers) == len(column) else None
    return found
