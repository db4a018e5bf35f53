"""How far a record is to be believed, looked up in the store and nowhere else.

    exploratory   nothing below holds
    calibrated    the newest scorecard of this instrument and version says it passed
    registered    a frozen study that names the subject beforehand is among the inputs
    adjudicated   that study's rule was applied to this very record

A scorecard is a `project/*/scorecard` record whose parameters name `instrument`, `version` and, where it covers one
kind of subject, quantity or family, `subjects`, `quantity`, `family`; its field `passed` reads "yes". A freeze
is a `project/*/freeze` record whose inputs hold, in role `subject`, the fingerprint of every subject sealed for the
study; a record counts for it when the freeze's content digest is among its inputs, and no record outside the
study has read that subject. An adjudication is a `project/*/adjudication` record with both digests among its inputs.
What a record says of itself is not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, NamedTuple

from lens.errors import StoreError
from lens.reading import Label
from measure.store.manifest import Line
from measure.store.record import Record, content_digest

Level = Literal["exploratory", "calibrated", "registered", "adjudicated"]


class Trust(NamedTuple):
    """`calibrated` stands beside the level: a registered reading may come from an uncalibrated instrument."""

    level: Level
    why: str
    calibrated: bool


class Library(NamedTuple):
    """What trust is looked up in: live lines, every line ever written, and a reader that checks digests."""

    live: Iterable[Line]
    ever: Iterable[Line]
    read: Callable[[str], Record]


def trust(line: Line, library: Library) -> Trust:
    """The level of a live record and the reason for it, in one sentence."""
    calibrated, why = _calibration(line, library)
    freeze = _freeze(line, library)
    if freeze is None:
        return Trust("calibrated" if calibrated else "exploratory", why, calibrated)
    verdict = next(
        (
            one.id
            for one in _project(library.live, "adjudication")
            if {freeze.digest, line.digest} <= {given.digest for given in one.inputs}
        ),
        None,
    )
    if verdict:
        return Trust("adjudicated", f"the rule of {freeze.id} was applied in {verdict}; {why}", calibrated)
    return Trust("registered", f"frozen beforehand in {freeze.id}; {why}", calibrated)


def _project(lines: Iterable[Line], instrument: str) -> list[Line]:
    return [one for one in lines if (one.parts.kind, one.parts.instrument) == ("project", instrument)]


def _calibration(line: Line, library: Library) -> tuple[bool, str]:
    """Whether the newest scorecard of every range passed, of those that cover this kind of subject."""
    cards = [_genuine(one, library) for one in _project(library.live, "scorecard")]
    wanted = {"instrument": line.parts.instrument, "version": line.version}
    cards = [card for card in cards if wanted.items() <= card.evidence.parameters.items()]
    named = f"{line.parts.instrument} version {line.version}"
    if not cards:
        return False, f"no scorecard for {named}"
    newest: dict[tuple[str, ...], Record] = {}
    for card in sorted(cards, key=lambda card: (card.made.time, not _passed(card))):
        given = card.evidence.parameters
        newest[tuple(str(given.get(name, "")) for name in ("subjects", "quantity", "family"))] = card
    covering = [card for (kind, *_), card in newest.items() if kind in ("", line.parts.kind)]
    if not covering:
        kinds = ", ".join(sorted({kind for kind, *_ in newest}))
        return False, f"{named} is calibrated on {kinds}, read on {line.parts.kind}"
    failed = [card.id for card in covering if not _passed(card)]
    if failed:
        return False, f"{named} failed its newest scorecard, {failed[0]}"
    return True, f"{named} passed {', '.join(card.id for card in covering)}"


def _passed(card: Record) -> bool:
    match card.fields.get("passed"):
        case Label(value="yes"):
            return True
    return False


def _genuine(line: Line, library: Library) -> Record:
    record = library.read(line.id)
    if content_digest(record.evidence) != record.digest:
        raise StoreError(f"evidence/{line.id}.json: its content is not what its digest says")
    return record


def _freeze(line: Line, library: Library) -> Line | None:
    """The freeze this record counts for, if its subject was sealed and nothing outside the study read it."""
    given = {one.digest for one in line.inputs}
    for freeze in _project(library.live, "freeze"):
        sealed = {one.digest for one in freeze.inputs}
        if freeze.digest in given and line.subject in sealed and not _peeked(line.subject, freeze, library):
            return freeze
    return None


def _peeked(subject: str, freeze: Line, library: Library) -> bool:
    return any(
        one.subject == subject and freeze.digest not in {given.digest for given in one.inputs} for one in library.ever
    )
