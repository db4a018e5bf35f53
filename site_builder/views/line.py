"""One record in one line: its headline as printed, its interval, what it is, and how far it is to be trusted."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from lens.reading import Declined, Quantity, Quote, Reported, Schematic
from site_builder import naming, wording

if TYPE_CHECKING:
    from site_builder.lookup import Lookup


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """`state` is measured, reported, declined, not-applicable or schematic. `value` is printed by the one rounding
    policy, in ASCII; `low` and `high` are the interval's ends as measured."""

    id: str
    instrument: str
    title: str
    state: str
    field: str
    value: str = ""
    low: float | None = None
    high: float | None = None
    what: str = ""
    trust: str = ""
    why: str = ""
    reason: str = ""
    remedy: str = ""


def line(lookup: Lookup, id_: str, field_name: str = "") -> Line:
    """The line of a record's headline, or of one of its fields."""
    record = lookup.record(id_)
    evidence = record.evidence
    reading = evidence.reading
    title = wording.of(evidence.instrument).title
    if isinstance(reading, Schematic):
        return Line(id_, evidence.instrument, title, "schematic", "", what=reading.statement)
    name = field_name or lookup.headline(id_)
    field = lookup.field(id_, name)
    if isinstance(field, Declined):
        state = "not-applicable" if field.reason == "not_applicable" else "declined"
        return Line(
            id_, evidence.instrument, title, state, name, reason=f"{field.reason}: {field.detail}", remedy=field.remedy
        )
    trust = lookup.store.trust(id_)
    interval = field.interval if isinstance(field, Quantity) else None
    return Line(
        id_,
        evidence.instrument,
        title,
        "reported" if isinstance(reading, Reported) or isinstance(field, Quote) else "measured",
        name,
        value=lookup.cite(f"{id_}#{name}").ascii,
        low=interval.low if interval else None,
        high=interval.high if interval else None,
        what=wording.phrase(evidence.instrument, name, naming.of(evidence.subject), getattr(field, "unit", "")),
        trust=trust.level,
        why=trust.why,
    )
