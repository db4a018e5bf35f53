"""How far a record is to be believed, looked up in the store and nowhere else.

    exploratory   nothing below holds
    calibrated    the newest scorecard of this instrument and version says it passed
    registered    a frozen study that names the subject beforehand is among the inputs
    adjudicated   that study's rule was applied to this very record

A scorecard is a `project/*/scorecard` record whose parameters name `instrument`, `version` and, where it covers one
kind of subject, quantity or family, `subjects`, `quantity`, `family`; its field `passed` reads "yes". A reading outside
the doses and sizes that the cards cover is not calibrated by them (measure.store.ranges). A card that names a `limit`
shows what the instrument is known not to see: it is told, and calibrates nothing. A freeze is a
`project/*/freeze` record whose inputs hold, in role `subject`, the fingerprint of every subject sealed for the study;
a record counts for it when the freeze's content digest is among its inputs, and its subject is one of those, or is all
subjects that the freeze's digest gives (lens.studies.seeds); and no record outside the study has read a sealed one.
Where the instrument is calibrated on other subjects, doses or sizes, it counts only if the freeze cites one of its
scorecards: the family is named in the study. An adjudication is a `project/*/adjudication` record with both digests
among its inputs. What a record says of itself is not read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from lens.errors import StoreError
from lens.reading import Field, Label
from lens.studies.seeds import subjects_of
from measure.store.manifest import Line
from measure.store.ranges import outside
from measure.store.record import Record, content_digest

Level = Literal["exploratory", "calibrated", "registered", "adjudicated"]


class Trust(NamedTuple):
    """`calibrated` stands beside the level: a registered reading may come from an uncalibrated instrument."""

    level: Level
    why: str
    calibrated: bool


class Calibration(NamedTuple):
    """Of an instrument, for one reading: `beyond` are its scorecards where all are of other subjects, or those that
    passed are of other doses or sizes, than this reading's."""

    passed: bool
    why: str
    beyond: tuple[str, ...] = ()


class Library:
    """What trust is looked up in: every line of the manifest, and a reader of records that checks their digests.

    Scorecards, freezes and adjudications are few, and picked out once.
    """

    def __init__(self, chains: Mapping[str, Sequence[Line]], read: Callable[[str], Record]) -> None:
        self._chains = chains
        self._read = read

    @cached_property
    def cards(self) -> list[Record]:
        """Live scorecards. Raises StoreError for one whose content is not what its digest says."""
        return [_genuine(self._read(line.id)) for line in self._project("scorecard")]

    def fields(self, id: str) -> Mapping[str, Field]:
        """What a live record reads."""
        return self._read(id).fields

    @cached_property
    def freezes(self) -> list[Line]:
        return self._project("freeze")

    @cached_property
    def adjudications(self) -> list[Line]:
        return self._project("adjudication")

    @cached_property
    def readers(self) -> dict[str, list[Line]]:
        """Every line ever written but freezes, by the fingerprint of each subject it read, and of each input."""
        found: defaultdict[str, list[Line]] = defaultdict(list)
        for chain in self._chains.values():
            for line in chain:
                for one in {line.subject, *(given.digest for given in line.inputs)}:
                    if line.parts.instrument != "freeze":
                        found[one].append(line)
        return found

    def _project(self, instrument: str) -> list[Line]:
        return [
            chain[-1]
            for id, chain in self._chains.items()
            if id.startswith("project/") and chain[-1].parts.instrument == instrument
        ]


def trust(line: Line, library: Library) -> Trust:
    """The level of a live record and the reason for it, in one sentence."""
    if line.reading == "declined":
        return Trust("exploratory", "it declined: there is no reading to trust", False)
    calibrated, why, beyond = _calibration(line, library)
    freeze = _freeze(line, library)
    if freeze is None:
        return Trust("calibrated" if calibrated else "exploratory", why, calibrated)
    if beyond and not {one.name for one in freeze.inputs} & {*beyond}:
        return Trust("exploratory", f"{why}; {freeze.id} cites none of its scorecards", False)
    verdict = next(
        (
            one.id
            for one in library.adjudications
            if {freeze.digest, line.digest} <= {given.digest for given in one.inputs}
        ),
        None,
    )
    if verdict:
        return Trust("adjudicated", f"the rule of {freeze.id} was applied in {verdict}; {why}", calibrated)
    return Trust("registered", f"frozen beforehand in {freeze.id}; {why}", calibrated)


def _calibration(line: Line, library: Library) -> Calibration:
    """Whether the newest scorecard of every range passed, of those that cover this kind of subject, and the reading
    lies within them."""
    if line.parts.instrument == "scorecard":
        return Calibration(False, "it is a scorecard: others are calibrated by it, and it by none")
    wanted = {"instrument": line.parts.instrument, "version": line.version}
    cards = [card for card in library.cards if wanted.items() <= card.evidence.parameters.items()]
    named = f"{line.parts.instrument} version {line.version}"
    limits = [card for card in cards if "limit" in card.evidence.parameters]
    cards = [card for card in cards if card not in limits]
    if not cards:
        return Calibration(False, f"no scorecard for {named}")
    newest: dict[tuple[str, ...], Record] = {}
    for card in sorted(cards, key=lambda card: (card.made.time, not _passed(card))):
        given = card.evidence.parameters
        newest[tuple(str(given.get(name, "")) for name in ("subjects", "quantity", "family"))] = card
    covering = [card for (kind, *_), card in newest.items() if kind in ("", line.parts.kind)]
    if not covering:
        kinds = ", ".join(sorted({kind for kind, *_ in newest}))
        every = tuple(card.id for card in newest.values())
        return Calibration(False, f"{named} is calibrated on {kinds}, read on {line.parts.kind}", every)
    failed = [card.id for card in covering if not _passed(card)]
    if failed:
        return Calibration(False, f"{named} failed its newest scorecard, {failed[0]}")
    if where := outside(line, covering, library.fields):
        return Calibration(False, f"{named} is calibrated {where}", tuple(card.id for card in covering))
    blind = f"; not told: {', '.join(str(card.evidence.parameters['limit']) for card in limits)}" if limits else ""
    return Calibration(True, f"{named} passed {', '.join(card.id for card in covering)}{blind}")


def _passed(card: Record) -> bool:
    match card.fields.get("passed"):
        case Label(value="yes"):
            return True
    return False


def _genuine(record: Record) -> Record:
    if content_digest(record.evidence) != record.digest:
        raise StoreError(f"evidence/{record.id}.json: its content is not what its digest says")
    return record


def _freeze(line: Line, library: Library) -> Line | None:
    """The freeze this record counts for, if its subject was sealed and nothing outside the study read it."""
    given = {one.digest for one in line.inputs}
    for freeze in library.freezes:
        sealed = {one.digest for one in freeze.inputs if not one.locator}  # what has a locator is no subject
        built = line.subject == subjects_of(freeze.digest)
        read = sealed if built else {line.subject} & sealed
        if freeze.digest in given and (read or built) and not any(_peeked(one, freeze, library) for one in read):
            return freeze
    return None


def _peeked(subject: str, freeze: Line, library: Library) -> bool:
    return any(freeze.digest not in {given.digest for given in one.inputs} for one in library.readers[subject])
