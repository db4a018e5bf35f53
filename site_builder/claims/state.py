"""Whether a cited record may be quoted today: freshness and conflicts, asked of the store once an id."""

from __future__ import annotations

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
        plain = id_.partition("~")[0]
        if plain not in self._variants:
            return ""
        if plain not in self._conflicts:
            found = conflicts([self._store.line(one) for one in self._variants[plain]])
            self._conflicts[plain] = {end: str(one) for one in found for end in (one.left, one.right)}
        return self._conflicts[plain].get(id_, "")

    @cached_property
    def _variants(self) -> dict[str, list[str]]:
        """Ids of one instrument on one subject where there are variants, by the plain id: conflicts lie there."""
        found: dict[str, list[str]] = {}
        for id_ in self._store.ids():
            if "~" in id_:
                plain = id_.partition("~")[0]
                found.setdefault(plain, [plain] if self._store.has(plain) else []).append(id_)
        return found
