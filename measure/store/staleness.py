"""Whether what a record was made from is still what lies here: compared by content, never by time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, NamedTuple

from measure.store.locate import Locator
from measure.store.manifest import Line

Fingerprint = Callable[[Line], str | None]
"""The fingerprint now of the subject a line is about, or None where it isn't on this machine."""


class Staleness(NamedTuple):
    """`why` names every input that changed (stale) or that couldn't be looked at (not checkable here)."""

    state: Literal["fresh", "stale", "not-checkable"]
    why: tuple[str, ...] = ()


def staleness(line: Line, locator: Locator, fingerprint: Fingerprint | None) -> Staleness:
    """Look again at the instrument's version, the subject and every input of a live record.

    Without `fingerprint` the subject is not looked at. Figures reported by others and drawings have no
    instrument here and no subject to run.
    """
    changed: list[str] = []
    unseen: list[str] = []
    if line.reading in ("measured", "declined"):
        _instrument(line, changed, unseen)
        if fingerprint is not None and line.parts.kind != "project":
            _subject(line, fingerprint, changed, unseen)
    for one in line.inputs:
        differs, why = locator.changed(one.locator, one.digest)
        if differs is None:
            unseen.append(f"{one.name}: {why}")
        elif differs:
            changed.append(f"{one.name} changed: {why}")
    if changed:
        return Staleness("stale", tuple(changed))
    return Staleness("not-checkable", tuple(unseen)) if unseen else Staleness("fresh")


def _instrument(line: Line, changed: list[str], unseen: list[str]) -> None:
    from lens.instrument import version

    name = line.parts.instrument
    try:
        now = version(line.parts.kind, name)
    except KeyError:
        return  # this kind of record is not made by an instrument: a scorecard, a benchmark
    if now is None:
        unseen.append(f"no instrument {name} is installed here")
    elif now != line.version:
        changed.append(f"{name} is at version {now}, measured with {line.version}")


def _subject(line: Line, fingerprint: Fingerprint, changed: list[str], unseen: list[str]) -> None:
    now = fingerprint(line)
    if now is None:
        unseen.append(f"{line.spec or line.parts.subject} isn't on this machine")
    elif now != line.subject:
        changed.append(f"{line.parts.subject} changed: it is {now[:12]} now, was {line.subject[:12]} when measured")
