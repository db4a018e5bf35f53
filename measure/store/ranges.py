"""Whether a reading lies where its instrument was calibrated: among the doses of its family, and the sizes read there.

A card names its doses and family, and, where a size means the same on any subject, the fields whose size was marked
(`range.of`) and the smallest and largest that its series was read at; a size without its sign is never too small. Of
several cards the widest range counts: each passed by itself. A planted subject of no card's family, and one named
without a dose, which is its family's own, are held to sizes alone, as subjects are whose truth nobody planted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fnmatch import fnmatchcase

from lens.reading import Field, Label, Quantity
from measure.store.manifest import Line
from measure.store.record import Record

_PLANTED = re.compile(r"(?:organism|planted):([\w-]+)\?(?:.*&)?dose=(\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:&.*)?")


def outside(line: Line, cards: Sequence[Record], read: Callable[[str], Mapping[str, Field]]) -> str:
    """ "on X, read on Y" where a reading is outside of what `cards` cover, else empty. `read` gives a record's fields,
    and is asked only where a card has a range to hold them to.
    """
    return _dose(line, cards) or _size(line, cards, read)


def _dose(line: Line, cards: Sequence[Record]) -> str:
    planted = _PLANTED.fullmatch(line.spec)
    if planted is None:
        return ""
    family, dose = planted[1], float(planted[2])
    known = [one for card in cards if card.evidence.parameters.get("family") == family for one in _doses(card)]
    if not known or dose <= max(known):
        return ""
    return f"on doses of {family} up to {max(known):g}, read at {dose:g}"


def _doses(card: Record) -> list[float]:
    return list(card.evidence.parameters.get("doses", ()))


def _size(line: Line, cards: Sequence[Record], read: Callable[[str], Mapping[str, Field]]) -> str:
    ranges: dict[str, tuple[float, float]] = {}
    for card in cards:
        match card.fields.get("range.of"), card.fields.get("range.low"), card.fields.get("range.high"):
            case Label(value=of), Quantity(value=low), Quantity(value=high):
                least, most = ranges.get(of, (low, high))
                ranges[of] = 0.0 if of.startswith("|") else min(least, low), max(most, high)
    found = [
        (max(low - size, size - high), name, of, size)
        for of, (low, high) in ranges.items()
        for name, field in read(line.id).items()
        if fnmatchcase(name, of.strip("|")) and (size := _size_of(field, of)) is not None
    ]
    beyond, name, of, size = max(found, default=(0.0, "", "", 0.0))
    if beyond <= 0:
        return ""
    low, high = ranges[of]
    where = f"at {size:.3g}" if name == of.strip("|") else f"on {name} at {size:.3g}"
    return f"on {of} from {low:.3g} to {high:.3g}, read {where}"


def _size_of(field: Field, of: str) -> float | None:
    """A count by its share; whatever the sign where `of` has bars."""
    if not isinstance(field, Quantity):
        return None
    value = field.value / field.of if field.of else float(field.value)
    return abs(value) if of.startswith("|") else value
