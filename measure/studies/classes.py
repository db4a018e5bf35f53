"""What a study is, computed from the store: by what depends on what, never by a clock or by what a record says.

prospective     every subject was built from the freeze's digest
sealed          every subject was there, its fingerprint is in the freeze, and no record outside the study reads it
retrospective   a subject was read before, or a seed is not the freeze's
not registered  there is no freeze, or the measurement does not depend on it
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal, NamedTuple

from lens.errors import StoreError
from lens.reading import Columns
from lens.studies.seeds import seed_of, subjects_of
from lens.studies.spec import Spec
from measure.store import Record, Store
from measure.store.record import content_digest

Class = Literal["prospective", "sealed", "retrospective", "not registered", "not run"]


class Classed(NamedTuple):
    """A class and its reason, in one sentence."""

    name: Class
    why: str


def classed(store: Store, spec: Spec, table: Callable[[str, str], Columns] | None = None) -> Classed:
    """The class of a study as the store has it; `table` is another way to read one than the store's own.

    Raises StoreError for a freeze whose content was changed.
    """
    reading, freeze = spec.record(spec.science), spec.record("freeze")
    if not store.has(freeze):
        why = f"{reading} was measured without a freeze" if store.has(reading) else "it was never frozen"
        return Classed("not registered", why)
    record = genuine(store.record(freeze))
    if not store.has(reading):
        return Classed("not run", "it is frozen, and nothing was measured")
    line = store.line(reading)
    if line.reading == "declined":
        return Classed("not run", "its predictions are frozen, and what it is about is for others to name")
    if record.digest not in {one.digest for one in line.inputs}:
        return Classed("not registered", f"{reading} does not depend on {freeze}: it was measured without it")
    drawn = partial(_seeded, (table or partial(_table, store))(reading, "units"), record.digest)
    if spec.subject:
        return _sealed(store, spec, record, spec.each or drawn())
    if line.subject != subjects_of(record.digest) or not drawn():
        return Classed("retrospective", "its subjects are not those that the freeze's digest gives")
    return Classed("prospective", "every subject was built from a seed that the freeze's digest gives")


def genuine(record: Record) -> Record:
    """The record, where its content is what its digest says."""
    if content_digest(record.evidence) != record.digest:
        raise StoreError(
            f"evidence/{record.id}.json was edited after it was frozen: its content is not what its digest says",
            remedy="lens evidence verify; git checkout brings back what was frozen",
        )
    return record


def seen(store: Store, fingerprint: str, freeze: str) -> str:
    """The record that reads a subject without depending on the freeze, or ""."""
    for id in store.ids():
        for line in store.history(id):
            given = {one.digest for one in line.inputs}
            if line.parts.instrument != "freeze" and freeze not in given and fingerprint in {line.subject, *given}:
                return id
    return ""


def _sealed(store: Store, spec: Spec, freeze: Record, drawn: bool) -> Classed:
    """`drawn`: whether the units that were drawn on it come from the freeze's digest, where it isn't one itself."""
    if not drawn:
        return Classed("retrospective", "its draws are not those that the freeze's digest gives")
    for one in freeze.evidence.inputs:
        if one.role == "subject" and (reader := seen(store, one.digest, freeze.digest)):
            return Classed(
                "retrospective", f"predicted after the data existed: {reader} reads {one.name.removeprefix('subject ')}"
            )
    given = {one.digest for one in store.record(spec.record(spec.science)).evidence.inputs}
    if any(one.role == "subject" and one.digest not in given for one in freeze.evidence.inputs):
        return Classed("retrospective", "a subject is not the one that was sealed")
    return Classed("sealed", "every subject was sealed in the freeze, and no other record reads one")


def _seeded(units: Columns, digest: str) -> bool:
    return all(seed == seed_of(digest, number) for number, seed in zip(units["number"], units["seed"], strict=True))


def _table(store: Store, id: str, name: str) -> Columns:
    return dict(store.table(id, name).to_pydict())
