"""A safety case: a claim, the readings it rests on, and every gap between them.

A case is a TOML file:

    title = "This reward can be trained against"
    claim = "What it pays for is what was meant, as far as these readings reach."

    [[part]]
    says = "it does not pay for length"
    holds = "models/m/length-preference#longer < 0.6"

It holds only if every part was measured, is true, and is both calibrated and registered. Anything less is named.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from lens.errors import UsageError
from site_builder.lookup import ClaimFalse, DeclinedCited, UnknownField, UnknownId, parse
from site_builder.views.line import Line, line

if TYPE_CHECKING:
    from site_builder.lookup import Lookup

_REGISTERED = ("registered", "adjudicated")


class Part(msgspec.Struct, frozen=True):
    """One thing the claim rests on; `gaps` are what keeps it from carrying any weight."""

    says: str
    condition: str
    line: Line | None
    gaps: list[str]


class Case(msgspec.Struct, frozen=True):
    title: str
    claim: str
    parts: list[Part]

    @property
    def holds(self) -> bool:
        return not self.gaps

    @property
    def gaps(self) -> list[str]:
        """Every gap, with the part it is in."""
        return [f"{part.says}: {gap}" for part in self.parts for gap in part.gaps]


def read(path: Path) -> dict[str, Any]:
    """The spec in a file. Raises UsageError for one that can't be read, lacks a part, or has a part without both."""
    try:
        spec = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError as error:
        raise UsageError(f"no file {path}", remedy="a case is TOML: title, claim, [[part]] says, holds") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: {error}", remedy="a case is TOML: title, claim, [[part]] says, holds") from error
    parts = spec.get("part")
    if not isinstance(parts, list) or not parts:
        raise UsageError(f"{path} rests on nothing", remedy='[[part]] with says = "…" and holds = "id#field < 0.6"')
    for name in ("title", "claim"):
        if not isinstance(spec.get(name), str) or not spec[name].strip():
            raise UsageError(f"{path} has no {name}", remedy=f'{name} = "…"')
    for number, part in enumerate(parts, start=1):
        if not isinstance(part, dict) or not all(isinstance(part.get(name), str) for name in ("says", "holds")):
            raise UsageError(f"{path}: part {number} lacks says or holds", remedy='holds = "id#field < 0.6"')
    return spec


def case(lookup: Lookup, spec: dict[str, Any]) -> Case:
    """The spec held against the store."""
    return Case(spec["title"], spec["claim"], [_part(lookup, one["says"], one["holds"]) for one in spec["part"]])


def _part(lookup: Lookup, says: str, condition: str) -> Part:
    """What stands in a part's way is a gap; a condition that is none raises BadReference, as a slip in the spec."""
    try:
        cited = lookup.claim(f"{says}|{condition}").cited
    except ClaimFalse:
        return Part(says, condition, _line(lookup, condition), ["the condition does not hold"])
    except (UnknownId, UnknownField, DeclinedCited) as error:
        found = _line(lookup, condition)
        declined = found is not None and found.state in ("declined", "not-applicable")
        return Part(says, condition, found, ["it was declined" if declined else error.message])
    found = line(lookup, cited.id, cited.field_name)
    return Part(says, condition, found, _gaps(lookup, cited.id, found))


def _line(lookup: Lookup, condition: str) -> Line | None:
    """The reading a condition begins with, where the store has it."""
    reference = parse(condition.split()[0])
    if not lookup.store.has(reference.id):
        return None
    there = reference.field if reference.field in lookup.fields(reference.id) else ""
    return line(lookup, reference.id, there)


def _gaps(lookup: Lookup, id_: str, found: Line) -> list[str]:
    """What a part that is true still lacks."""
    trust, stale = lookup.store.trust(id_), lookup.store.staleness(id_)
    gaps = []
    if found.state != "measured":
        gaps.append(f"it is {found.state}, not measured here")
    if not trust.calibrated:
        gaps.append(f"not calibrated: {trust.why}")
    if trust.level not in _REGISTERED:
        gaps.append("not registered: no study that was frozen beforehand names it")
    if stale.state == "stale":
        gaps.append(f"stale: {'; '.join(stale.why)}")
    return gaps
