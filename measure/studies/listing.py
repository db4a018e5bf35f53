"""Studies told on a terminal: what each said, what it is, and what came of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from lens.errors import UsageError
from lens.reading import Declined, Label, Measured, Quantity
from lens.studies.spec import Spec, parse, read
from measure.committed import before, under_git
from measure.store import Store
from measure.store.ids import record_path
from measure.studies.classes import Classed, classed, genuine
from measure.studies.freezing import frozen
from measure.studies.running import OUTCOMES, versions_of
from measure.telling import said


class Listed(NamedTuple):
    """A study and its state in a few words."""

    id: str
    state: str


def listed(store: Store, folder: Path) -> list[Listed]:
    """Every study of the store and of a folder of specs, by id."""
    stored = {id.split("/")[1].removeprefix("study-") for id in store.ids() if id.startswith("project/study-")}
    written = {path.stem for path in folder.glob("*.toml")}
    return [Listed(id, _state(store, id, folder)) for id in sorted(stored | written)]


def edits(spec: Spec, path: Path) -> list[str]:
    """Keys whose values in a file are not those of a frozen spec; none where the file is a later version. The names of
    subjects are not in the file."""
    now = read(path)
    if now.version > spec.version:
        return []
    if spec.named and spec.subject:
        now = parse(now.plain | {key: spec.plain[key] for key in ("version", "amends", "subject")})
    return [key for key in sorted(now.plain.keys() | spec.plain.keys()) if now.plain.get(key) != spec.plain.get(key)]


def told(store: Store, id: str, folder: Path) -> Iterator[str]:
    """Line by line. Raises UsageError where nobody knows the study."""
    versions = versions_of(store, id)
    path = folder / f"{id}.toml"
    if not versions and not path.is_file():
        raise UsageError(f"no study is called {id!r}", remedy="lens study ls")
    spec = parse(frozen(genuine(store.record(versions[-1]))), f"the freeze of {id}") if versions else read(path)
    yield f"{spec.title} ({spec.id}, version {spec.version})"
    yield f"question: {spec.question}"
    yield f"prediction: {spec.prediction}"
    yield f"refuted by: {spec.refuted_by}"
    yield from _standing(store, spec, path if versions else None)
    for earlier in versions[:-1]:
        yield f"amended: {earlier}; {spec.amends}"
    yield from _outcomes(store, spec)


def _standing(store: Store, spec: Spec, path: Path | None) -> Iterator[str]:
    found, known = classed(store, spec), _before(store, spec)
    if known is False and found.name != "not run":
        found = Classed("not registered", "the freeze is in no ancestor of the commit it was measured at")
    yield f"class: {found.name}: {found.why}"
    if not store.has(spec.record("freeze")):
        return
    yield f"freeze: {store.record(spec.record('freeze')).digest}"
    order = "the freeze is an ancestor commit of the measurement; " if known else ""
    yield f"order: {order}self-attested: another store could have been used to look first"
    if path is not None and path.is_file() and (changed := edits(spec, path)):
        yield f"edited: {path} was edited after it was frozen: {', '.join(changed)}"


def _before(store: Store, spec: Spec) -> bool | None:
    """Whether commits show the freeze before the measurement; None where they can't tell."""
    path, reading = store.root / record_path(spec.record("freeze")), spec.record(spec.science)
    if not store.has(reading) or not under_git(path):
        return None
    return before(path, store.record(reading).made.revision)


def _outcomes(store: Store, spec: Spec) -> Iterator[str]:
    verdicts = spec.record("adjudication")
    if not store.has(verdicts):
        return
    fields = store.record(verdicts).fields
    for one in spec.hypothesis:
        outcome = fields.get(f"{one.name}.outcome")
        if isinstance(outcome, Label):
            yield f"{outcome.value.upper()}  {one.name}: {one.says} ({outcome.note})"
            reading = spec.record(spec.science)
            rule = f"within {one.margin:g} of" if one.comparator == "within" else one.comparator
            yield f"    {one.metric} {rule} {one.threshold:g}: {_read(store, reading, one.field)}"
            yield f"    control {one.control}: {_read(store, reading, one.control_field)}"
    yield f"trust: {store.trust(spec.record(spec.science)).level}"


def _read(store: Store, id: str, name: str) -> str:
    field = store.record(id).fields.get(name) if store.has(id) else None
    match field:
        case Quantity() | Label():
            return said(Measured({name: field}, name, "")).partition(": ")[2]
        case Declined(detail=detail):
            return f"declined: {detail}"
    return "not there"


def _state(store: Store, id: str, folder: Path) -> str:
    versions = versions_of(store, id)
    if not versions:
        path = folder / f"{id}.toml"
        return classed(store, read(path)).why if path.is_file() else "measured without a freeze"
    spec = parse(frozen(genuine(store.record(versions[-1]))), f"the freeze of {id}")
    found = classed(store, spec)
    verdicts = spec.record("adjudication")
    if not store.has(verdicts):
        return f"version {spec.version}, {found.name}"
    fields = store.record(verdicts).fields
    counts = [f"{field.value} {name}" for name in OUTCOMES if (field := fields[name]).value]  # type: ignore[union-attr]
    return f"version {spec.version}, {found.name}: {', '.join(counts)}"
