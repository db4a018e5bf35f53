"""Subjects of a kind beside each other, instrument by instrument, and which of them an interval can't tell apart.

Nothing is ranked: entries stand in the order of their values, and each names those whose interval meets its own.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

import msgspec

from lens.reading import Measured, Quantity
from site_builder import naming, wording

if TYPE_CHECKING:
    from measure.store import Record
    from site_builder.lookup import Lookup

OWN_UNITS = ("ru",)  # a reward model's: no two models share a scale


class Entry(msgspec.Struct, frozen=True):
    """One subject's reading: `share` orders it, `ref` prints it; `alike` are the subjects it is not told apart from.
    Without an interval nothing tells it apart from any. `trust` is how far it is to be believed, and `why`."""

    subject: str
    name: str
    ref: str
    share: float
    of: int | None  # a share is of so many
    low: float | None
    high: float | None
    alike: list[str]
    trust: str
    why: str


class Row(msgspec.Struct, frozen=True):
    """One instrument's headline over the subjects that have it; `apart` says whether all are told apart."""

    instrument: str
    title: str
    field: str
    what: str
    entries: list[Entry]

    @property
    def one_trust(self) -> bool:
        """Whether all are trusted alike, and for one reason."""
        return len({(one.trust, one.why) for one in self.entries}) == 1

    @property
    def apart(self) -> bool:
        return not any(one.alike for one in self.entries)


def scoreboard(lookup: Lookup, kind: str) -> list[Row]:
    """A row for every headline that two subjects of the kind have in one unit, with an interval at one of them."""
    found: defaultdict[tuple[str, str, str], list[tuple[Record, Quantity]]] = defaultdict(list)
    for id_ in lookup.store.ids():
        if not id_.startswith(f"{kind}/") or "~" in id_:
            continue
        record = lookup.record(id_)
        reading = record.evidence.reading
        if not isinstance(reading, Measured):
            continue
        field = reading.fields[reading.headline]
        if isinstance(field, Quantity) and field.unit not in OWN_UNITS and field.kind != "size":
            found[record.evidence.instrument, reading.headline, field.unit].append((record, field))
    rows = [
        _row(lookup, *key, some)
        for key, some in found.items()
        if len(some) > 1 and any(_ends(field) for _, field in some)
    ]
    return sorted(rows, key=lambda row: (wording.of(row.instrument).order, row.instrument, row.field))


def _row(lookup: Lookup, instrument: str, field: str, unit: str, some: list[tuple[Record, Quantity]]) -> Row:
    ends = {record.id: _ends(one) for record, one in some}
    entries = [
        Entry(
            record.evidence.subject.slug,
            naming.of(record.evidence.subject),
            f"{record.id}#{field}",
            _share(one),
            one.of or (1 if one.kind == "proportion" else None),
            *_printed(ends[record.id]),
            [
                naming.of(other.evidence.subject)
                for other, _ in some
                if other.id != record.id and _meet(ends[record.id], ends[other.id])
            ],
            *lookup.store.trust(record.id)[:2],
        )
        for record, one in some
    ]
    entries.sort(key=lambda entry: (-entry.share, entry.subject))
    words = wording.of(instrument)
    return Row(instrument, words.title, field, wording.phrase(instrument, field, "the subject", unit), entries)


def _share(field: Quantity) -> float:
    return float(field.value) / field.of if field.of else float(field.value)


def _ends(field: Quantity) -> tuple[float, float] | None:
    """The interval as `_share` orders values; a census has none but itself."""
    if field.interval is not None:
        return field.interval.low, field.interval.high
    return (_share(field), _share(field)) if field.of else None


def _printed(ends: tuple[float, float] | None) -> tuple[float | None, float | None]:
    return (None, None) if ends is None else ends


def _meet(one: tuple[float, float] | None, other: tuple[float, float] | None) -> bool:
    if one is None or other is None:
        return True
    return one[0] <= other[1] and other[0] <= one[1]
