"""Whether a cited record may be quoted today: freshness and conflicts, asked of the store once an id."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from measure.store.conflicts import conflicts

if TYPE_CHECKING:
    from measure.store import Store


class State(Protocol):
    def stale(self, id_: str) -> str:
        """Why the record is stale; empty where it is fresh or can't be told here."""

    def conflict(self, id_: str) -> str:
        """What the record is in conflict with; empty where with nothing."""


class StoreState:
    """The state of a real store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._stale: dict[Hashable, str] = {}
        self._conflicts: dict[str, dict[str, str]] = {}

    def stale(self, id_: str) -> str:
        """Records of one instrument at one version, made from the same inputs, are stale together."""
        line = self._store.line(id_)
        kind, _, rest = id_.partition("/")
        key = (kind, rest.rpartition("/")[2].partition("~")[0], line.reading, line.version, line.inputs)
        if key not in self._stale:
            found = self._store.staleness(id_)
            self._stale[key] = "; ".join(found.why) if found.state == "stale" else ""
        return self._stale[key]

    def conflict(self, id_: str) -> str:
        subject = id_.partition("~")[0]
        if subject not in self._conflicts:
            variants = [self._store.line(one) for one in self._variants(subject)]
            found = conflicts(variants) if len(variants) > 1 else []
            self._conflicts[subject] = {end: str(one) for one in found for end in (one.left, one.right)}
        return self._conflicts[subject].get(id_, "")

    def _variants(self, subject: str) -> list[str]:
        """The ids of one instrument on one subject: a conflict lies within them."""
        low, high = (bisect_left(self._ids, f"{subject}{end}") for end in ("~", "\x7f"))
        return [*([subject] if self._store.has(subject) else []), *self._ids[low:high]]

    @cached_property
    def _ids(self) -> list[str]:
        return self._store.ids()
