"""Whether a cited record may be quoted today: freshness and conflicts, asked of the store once an id."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

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
        self._stale: dict[str, str] = {}

    def stale(self, id_: str) -> str:
        if id_ not in self._stale:
            found = self._store.staleness(id_)
            self._stale[id_] = "; ".join(found.why) if found else ""
        return self._stale[id_]

    def conflict(self, id_: str) -> str:
        return self._conflicts.get(id_, "")

    @cached_property
    def _conflicts(self) -> dict[str, str]:
        return {id_: str(one) for one in self._store.conflicts() for id_ in (one.left, one.right)}
