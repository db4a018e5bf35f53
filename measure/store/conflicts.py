"""One quantity of one subject with two live values, and no note that says why both stand."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

from measure.store.manifest import Line


class Conflict(NamedTuple):
    """`field` reads `left_value` in record `left` and `right_value` in `right`."""

    left: str
    right: str
    field: str
    left_value: str
    right_value: str

    def __str__(self) -> str:
        return f"{self.field} is {self.left_value!r} in {self.left} but {self.right_value!r} in {self.right}"


def conflicts(live: Iterable[Line]) -> list[Conflict]:
    """Every conflict among live lines, from the manifest alone.

    A quantity is a field of an instrument on a subject, read with the same things varied; a decline is no value. Of
    figures reported by others the source is varied, and two sources that print one quantity are still in conflict.
    """
    by_quantity: defaultdict[tuple[str, str, str], list[Line]] = defaultdict(list)
    for line in live:
        varied = "" if line.reading == "reported" else line.varied
        by_quantity[line.parts.subject, line.parts.instrument, varied].append(line)
    return [
        Conflict(one.id, other.id, name, value, other.fields[name])
        for group in by_quantity.values()
        for one, other in combinations(sorted(group, key=lambda line: line.id), 2)
        if not _settled(one, other)
        for name, value in one.fields.items()
        if value and other.fields.get(name) and value != other.fields[name]
    ]


def _settled(one: Line, other: Line) -> bool:
    return bool(
        one.differs
        or other.differs
        or one.supersedes in (other.id, other.digest)
        or other.supersedes in (one.id, one.digest)
    )
